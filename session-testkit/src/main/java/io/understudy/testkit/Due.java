package io.understudy.testkit;

import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import java.util.ArrayList;
import java.util.List;

/** The sessions that a node may end, as a container finds them: it looks at its interval, as votes may come too late for one look. */
public final class Due {

    private Due() {}

    /** Looks until there are this many or more; those of an earlier look are among them, as long as their end has not begun. */
    public static List<LiveSession> of(ReplicatedSessions sessions, int count) {
        List<LiveSession> due = new ArrayList<>();
        Await.until(Await.LIMIT, () -> due.size() + " of " + count + " sessions are due", () -> {
            due.clear();
            due.addAll(sessions.expirable());
            return due.size() >= count;
        });
        return due;
    }
}
