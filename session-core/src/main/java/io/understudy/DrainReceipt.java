package io.understudy;

import java.util.List;
import java.util.Map;

/**
 * What a {@linkplain Understudy#drain drained} node leaves behind.
 *
 * @param complete whether it can be stopped: no request used a session for a second, and nothing is at risk
 * @param requests that use a session
 * @param sessions that are live, over all applications
 * @param sessionsAtRisk of which other members lack something
 * @param bytesAtRisk of these
 * @param holders the other members that hold all sessions, by application
 */
public record DrainReceipt(
        boolean complete,
        long requests,
        long sessions,
        long sessionsAtRisk,
        long bytesAtRisk,
        Map<String, List<String>> holders) {

    /** One line for people. */
    @Override
    public String toString() {
        return (complete ? "drained" : "not drained") + ": " + requests + " requests in flight, " + sessions
                + " sessions, " + sessionsAtRisk + " of them at risk with " + bytesAtRisk + " bytes, held by "
                + holders;
    }
}
