package io.understudy.junit.comparison;

import java.util.Collections;
import java.util.Set;

/**
 * When a request was under way in its run, and beside which others.
 *
 * @param sessions ids of the client's session before the request and after it; empty without a session
 * @param begin the place of the request's begin in the order of all begins and ends of the run
 * @param end the place of its response's end
 * @param background whether it does not keep the client waiting: it is asynchronous, or a stream of events
 * @param whole whether the response came to its end
 * @param known whether the session after it is known, as no other request of the session was running
 */
public record Course(Set<String> sessions, long begin, long end, boolean background, boolean whole, boolean known) {

    /** Whether the two were under way at the same time. */
    boolean overlaps(Course other) {
        return begin < other.end && other.begin < end;
    }

    boolean sharesSession(Course other) {
        return !Collections.disjoint(sessions, other.sessions);
    }
}
