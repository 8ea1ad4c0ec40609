package io.understudy.codec;

/** A value can't be encoded. The message names the class that is in the way. */
public final class NotReplicableException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean changing;

    private NotReplicableException(String message, Throwable cause, boolean changing) {
        super(message, cause);
        this.changing = changing;
    }

    static NotReplicableException never(Object value, Throwable cause) {
        String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return new NotReplicableException(
                value.getClass().getName() + " can't be restored elsewhere: " + firstLine(reason), cause, false);
    }

    static NotReplicableException changing(Object value, Throwable cause) {
        return new NotReplicableException(
                value.getClass().getName() + " kept changing while it was encoded: " + cause, cause, true);
    }

    /** Whether the value may be encodable when no other thread changes it. */
    public boolean changing() {
        return changing;
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
