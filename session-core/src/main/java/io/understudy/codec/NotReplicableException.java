package io.understudy.codec;

import io.understudy.codec.streams.NotReadableException;
import java.io.NotSerializableException;
import org.jspecify.annotations.Nullable;

/** A value can't be encoded. The message names the class that is in the way. */
public final class NotReplicableException extends Exception {

    private static final long serialVersionUID = 1L;

    private enum Kind {
        NEVER,
        UNREADABLE,
        CHANGING,
        FAILING,
        NO_MEMORY,
        TOO_LARGE
    }

    private final Kind kind;
    private final @Nullable String repeated;

    private NotReplicableException(Kind kind, String message, Throwable cause) {
        this(kind, message, cause, null);
    }

    private NotReplicableException(Kind kind, String message, Throwable cause, @Nullable String repeated) {
        super(message, cause);
        this.kind = kind;
        this.repeated = repeated;
    }

    static NotReplicableException never(Object value, Throwable cause) {
        String message = cause.getMessage();
        String reason = message == null || cause instanceof Error ? cause.toString() : message;
        if (cause instanceof NotSerializableException && message != null) {
            reason = notSerializable(message);
        }
        return never(value, reason, cause);
    }

    static NotReplicableException never(Object value, String reason, Throwable cause) {
        return new NotReplicableException(
                Kind.NEVER,
                value.getClass().getName() + " can't be restored on other nodes: " + firstLine(reason),
                cause);
    }

    /** The same refusal, in words that name more. */
    NotReplicableException naming(Object value, String reason, Throwable cause) {
        return new NotReplicableException(
                kind, value.getClass().getName() + " can't be restored on other nodes: " + firstLine(reason), cause);
    }

    /** What is wrong with a class of this name. */
    static String notSerializable(String className) {
        return className + " does not implement java.io.Serializable";
    }

    static NotReplicableException unreadable(Object value, NotReadableException cause) {
        return new NotReplicableException(
                Kind.UNREADABLE,
                value.getClass().getName() + " can't be restored on other nodes: its bytes can't be read here, "
                        + firstLine(String.valueOf(cause.getMessage())),
                cause);
    }

    static NotReplicableException changing(Object value, Throwable cause) {
        return new NotReplicableException(
                Kind.CHANGING, value.getClass().getName() + " kept changing while it was encoded: " + cause, cause);
    }

    /** @param repeated what each try failed with */
    static NotReplicableException failing(Object value, Throwable cause, String repeated) {
        return new NotReplicableException(
                Kind.FAILING,
                "each try to encode " + value.getClass().getName() + " failed with " + cause,
                cause,
                repeated);
    }

    static NotReplicableException noMemory(Object value, Throwable cause) {
        return new NotReplicableException(
                Kind.NO_MEMORY,
                "there was no memory to encode " + value.getClass().getName() + ": " + cause,
                cause);
    }

    static NotReplicableException tooLarge(int maxBytes, Throwable cause) {
        return new NotReplicableException(
                Kind.TOO_LARGE,
                "its encoding exceeds maxAttributeBytes = " + maxBytes
                        + "; encoding stopped there, so its full size is unknown",
                cause);
    }

    /** Whether the value may be encodable when no other thread changes it. */
    public boolean changing() {
        return kind == Kind.CHANGING || kind == Kind.FAILING;
    }

    /** Whether the next try may succeed: the value kept changing, or there was no memory. */
    public boolean passing() {
        return changing() || kind == Kind.NO_MEMORY;
    }

    /**
     * The exception of the value's code that each try failed with, and where. Two failures alike show that the value is
     * the reason, and no other thread. {@code null} if that is known already, or the tries failed in several ways.
     */
    public @Nullable String repeated() {
        return repeated;
    }

    /** Whether it can be written, but not be read. */
    public boolean unreadable() {
        return kind == Kind.UNREADABLE;
    }

    /** Whether a class is in the way, not the moment or the size. */
    boolean lasting() {
        return kind == Kind.NEVER;
    }

    /** Whether the value needs more bytes than it may have. */
    public boolean tooLarge() {
        return kind == Kind.TOO_LARGE;
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
