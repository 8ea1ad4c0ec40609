package io.understudy.testkit.history;

/**
 * One change that a client asked for.
 *
 * @param number of the write, no other has it; also in the value it wrote
 * @param session the name the client gave the session, which stays when its id changes
 * @param attribute empty if the session itself was created or invalidated
 * @param outcome the answer that the client got
 * @param began when the client asked, by {@link System#nanoTime}
 * @param ended when it had the answer, or knew that none will come
 */
public record Write(
        long number,
        String session,
        String attribute,
        Kind kind,
        String node,
        Outcome outcome,
        long began,
        long ended) {

    /** What was done. */
    public enum Kind {
        CREATE,
        SET,
        REMOVE,
        INVALIDATE
    }

    /** The answer that the client got. */
    public enum Outcome {
        /** It is kept, whatever single member dies. */
        ACKNOWLEDGED,
        /** It is done, and may be lost with the member that did it: degraded, or incoherent. */
        DEGRADED,
        /** No answer: done, or not, or only in part. */
        UNKNOWN
    }
}
