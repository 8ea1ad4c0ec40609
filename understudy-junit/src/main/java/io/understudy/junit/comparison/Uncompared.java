package io.understudy.junit.comparison;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What of a run is not compared, and why. Threads: one. */
final class Uncompared {

    private final List<Exchange> unordered = new ArrayList<>();
    private final List<Exchange> following = new ArrayList<>();
    private final List<Exchange> unanswered = new ArrayList<>();
    private final List<Exchange> cut = new ArrayList<>();

    /** Ids of sessions whose contents depend on the order of requests that overlapped. */
    private final Set<String> sessions = new LinkedHashSet<>();

    /**
     * A request overlapped others that changed its session.
     *
     * @param same whether the session is the same in both runs after all of them
     */
    void unordered(Exchange exchange, boolean same) {
        unordered.add(exchange);
        if (!same) {
            sessions.addAll(exchange.course().sessions());
        }
    }

    /** Whether the session of a request is not compared any more. */
    boolean covers(Exchange exchange) {
        return exchange.course().sessions().stream().anyMatch(sessions::contains);
    }

    /** A request uses such a session. */
    void follows(Exchange exchange) {
        following.add(exchange);
        sessions.addAll(exchange.course().sessions());
    }

    /** A request had no response when the test was over. */
    void unanswered(Exchange exchange) {
        unanswered.add(exchange);
    }

    /** A response did not come to its end before the test was over, or the client left before. */
    void cut(Exchange exchange) {
        cut.add(exchange);
    }

    /** For people, one for each reason. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        line(lines, unordered, "they overlapped and changed their session, so their order counts");
        line(lines, following, "the session is not the same after requests that overlapped");
        line(lines, unanswered, "there was no response when the test was over");
        line(lines, cut, "the body had no end when the test was over; its status and headers are compared");
        return lines;
    }

    private static void line(List<String> lines, List<Exchange> which, String why) {
        if (!which.isEmpty()) {
            lines.add(which.stream().map(Exchange::toString).collect(Collectors.joining("; ")) + ": " + why);
        }
    }
}
