package io.understudy.tomcat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.catalina.connector.Response;

/**
 * What a response waits for beside the changes that its request has not sent yet: changes that were sent at once, and the
 * ends of ids that the request bore of sessions that have others now.
 *
 * <p>Threads: any.
 */
final class AwaitedCommits {

    /** Until they are decided: of two threads that settle each waits for all. Replaced, and not changed. */
    @GuardedBy("this")
    private List<Commit> commits = List.of();

    @GuardedBy("this")
    private Map<UnderstudySession, String> outdated = Map.of();

    synchronized void add(Commit commit) {
        add(List.of(commit));
    }

    @GuardedBy("this")
    private void add(List<Commit> more) {
        if (!more.isEmpty()) {
            List<Commit> all = new ArrayList<>(commits);
            all.addAll(more);
            commits = all;
        }
    }

    /** The response is to give the client the session's current id in place of this one. */
    synchronized void outdated(UnderstudySession session, String id) {
        if (outdated.isEmpty()) {
            outdated = new HashMap<>();
        }
        outdated.put(session, id);
    }

    /**
     * All that the response has to wait for now. Ends the ids that it is about to replace: an application may have taken
     * its cookies back.
     */
    synchronized List<Commit> all(Response response) {
        if (!outdated.isEmpty() && !response.isCommitted()) {
            add(retired(response));
        }
        return commits;
    }

    @GuardedBy("this")
    private List<Commit> retired(Response response) {
        List<Commit> retired = new ArrayList<>();
        Iterator<Map.Entry<UnderstudySession, String>> all = outdated.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<UnderstudySession, String> entry = all.next();
            LiveSession live = entry.getKey().live();
            String current = "=" + live.id();
            if (response.getHeaders("Set-Cookie").stream().anyMatch(cookie -> cookie.contains(current))) {
                retired.add(live.dropSupersededId(entry.getValue()));
                all.remove();
            }
        }
        return retired;
    }

    /** They were waited for. */
    synchronized void decided(List<Commit> some) {
        if (!some.isEmpty()) {
            List<Commit> left = new ArrayList<>(commits);
            left.removeAll(some);
            commits = left;
        }
    }

    /** Waits for all. */
    static Outcome worst(List<Commit> commits) {
        Outcome worst = Outcome.UNCHANGED;
        for (int i = 0; i < commits.size(); i++) {
            worst = Outcome.worse(worst, commits.get(i).await());
        }
        return worst;
    }
}
