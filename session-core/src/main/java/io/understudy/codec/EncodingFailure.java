package io.understudy.codec;

import com.esotericsoftware.kryo.KryoException;
import io.understudy.codec.streams.NotReadableException;
import java.io.IOException;
import java.io.ObjectStreamException;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import org.jspecify.annotations.Nullable;

/** What it means for a value that encoding it failed. */
final class EncodingFailure {

    private EncodingFailure() {}

    /** Whether the JVM can't go on, or the thread is to end. */
    static boolean fatal(Throwable failure) {
        return failure instanceof ThreadDeath
                || (failure instanceof VirtualMachineError
                        && !(failure instanceof OutOfMemoryError)
                        && !(failure instanceof StackOverflowError));
    }

    /** Whether the next try would fail, too. Otherwise another thread may be the reason, that changes the value. */
    static boolean lasting(Throwable failure) {
        return failure instanceof ObjectStreamException || !(failure instanceof IOException || unexpected(failure));
    }

    /** Whether there was no memory: libraries and class initializers wrap what they meet. */
    static boolean outOfMemory(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof OutOfMemoryError) {
                return true;
            }
        }
        return false;
    }

    /** Whether it is none of those by which code refuses a value: Kryo itself refuses a class, or the depth. */
    private static boolean unexpected(Throwable failure) {
        Throwable root = root(failure);
        return failure instanceof RuntimeException
                && root instanceof RuntimeException
                && !(root instanceof KryoException);
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /**
     * Where the code failed, and with which exception; its message may differ each time. {@code null} if it is the one
     * by which collections report that another thread changes them.
     */
    static @Nullable String cause(Throwable failure) {
        Throwable root = root(failure);
        if (root instanceof ConcurrentModificationException) {
            return null;
        }
        try {
            StackTraceElement[] trace = root.getStackTrace();
            return root.getClass().getName() + (trace.length == 0 ? "" : " at " + trace[0]);
        } catch (RuntimeException e) {
            return null; // The exception is of the application.
        }
    }

    /**
     * @param before what the try before failed with; {@code null} if this is the first
     * @param cause of all tries so far; {@code null} if they failed in several ways, or one of them has none
     */
    static NotReplicableException refusal(
            Object value, Throwable failure, @Nullable Throwable before, @Nullable String cause) {
        if (failure instanceof NotReadableException unreadable) {
            boolean same = before instanceof NotReadableException earlier
                    && Arrays.equals(earlier.bytes(), unreadable.bytes());
            return same
                    ? NotReplicableException.unreadable(value, unreadable)
                    : NotReplicableException.changing(value, failure);
        }
        if (outOfMemory(failure)) {
            return NotReplicableException.noMemory(value, failure);
        }
        return unexpected(failure)
                ? cause == null
                        ? NotReplicableException.changing(value, failure)
                        : NotReplicableException.failing(value, failure, cause)
                : NotReplicableException.never(value, failure);
    }
}
