package io.understudy.tomcat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.catalina.connector.Response;

/** The ids that a request bore of sessions that have others now, until the response tells the client. Threads: any. */
final class OutdatedIds {

    @GuardedBy("this")
    private Map<UnderstudySession, String> ids = Map.of();

    /** The response is to give the client the session's current id in place of this one. */
    synchronized void add(UnderstudySession session, String id) {
        if (ids.isEmpty()) {
            ids = new HashMap<>();
        }
        ids.put(session, id);
    }

    /**
     * Ends the ids that the response is about to replace: an application may have taken its cookies back.
     *
     * @return what the response has to wait for
     */
    synchronized List<Commit> retire(Response response) {
        if (ids.isEmpty() || response.isCommitted()) {
            return List.of();
        }
        List<Commit> commits = new ArrayList<>();
        Iterator<Map.Entry<UnderstudySession, String>> all = ids.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<UnderstudySession, String> entry = all.next();
            LiveSession live = entry.getKey().live();
            String current = "=" + live.id();
            if (response.getHeaders("Set-Cookie").stream().anyMatch(cookie -> cookie.contains(current))) {
                commits.add(live.dropSupersededId(entry.getValue()));
                all.remove();
            }
        }
        return commits;
    }
}
