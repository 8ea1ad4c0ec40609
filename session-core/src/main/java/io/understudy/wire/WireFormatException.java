package io.understudy.wire;

/** Bytes from the network that are no frame; the message has the place, what was expected and what was found. */
public final class WireFormatException extends Exception {

    private static final long serialVersionUID = 1L;

    private final long answered;

    WireFormatException(int offset, String expected, String actual) {
        super("at byte " + offset + ": expected " + expected + ", found " + actual);
        answered = 0;
    }

    private WireFormatException(WireFormatException cause, long answered) {
        super(cause.getMessage(), cause);
        this.answered = answered;
    }

    /** The same, of sessions that answer a question. */
    WireFormatException answering(long request) {
        return new WireFormatException(this, request);
    }

    /** The number of the question that was answered with sessions of which one can't be read; 0 for all other frames. */
    public long answered() {
        return answered;
    }
}
