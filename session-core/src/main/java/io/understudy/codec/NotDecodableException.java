package io.understudy.codec;

import com.esotericsoftware.kryo.KryoException;
import io.understudy.codec.classes.Refusal;
import java.io.ObjectStreamException;
import java.lang.reflect.InvocationTargetException;
import java.util.stream.Collectors;

/** Bytes that this node can't turn into a value; the message names the class or field that is in the way. They are kept and passed on. */
public final class NotDecodableException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Longest message, in characters. */
    private static final int MAX_MESSAGE = 500;

    /** Causes that are looked at: those of an application's exception may have no end. */
    private static final int MAX_CAUSES = 20;

    /** What is in the way. */
    public enum Reason {
        /** A class is not here. */
        CLASS_MISSING,
        /** The filter refuses a class. */
        CLASS_REFUSED,
        /** A class is another one than its writer's. */
        CLASS_CHANGED,
        /** The application's own code failed, or there was no memory. */
        FAILED
    }

    private final Reason reason;

    private NotDecodableException(String message, Reason reason, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    static NotDecodableException of(Throwable cause) {
        String message = cause.toString().lines().map(String::strip).collect(Collectors.joining("; "));
        return new NotDecodableException(
                message.length() > MAX_MESSAGE ? message.substring(0, MAX_MESSAGE) + "..." : message,
                reason(cause),
                cause);
    }

    private static Reason reason(Throwable failure) {
        Reason reason = failure instanceof LinkageError ? Reason.CLASS_CHANGED : Reason.FAILED;
        Throwable at = failure;
        for (int causes = 0; at != null && causes < MAX_CAUSES; causes++) {
            if (at instanceof Refusal) {
                return Reason.CLASS_REFUSED;
            } else if (at instanceof ClassNotFoundException || at instanceof NoClassDefFoundError) {
                return Reason.CLASS_MISSING;
            } else if (at instanceof InvocationTargetException || at instanceof ExceptionInInitializerError) {
                return Reason.FAILED;
            } else if (at instanceof KryoException || at instanceof ObjectStreamException) {
                reason = Reason.CLASS_CHANGED;
            }
            at = at.getCause();
        }
        return reason;
    }

    public Reason reason() {
        return reason;
    }
}
