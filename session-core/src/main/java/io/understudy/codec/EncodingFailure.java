package io.understudy.codec;

import com.esotericsoftware.kryo.KryoException;
import io.understudy.codec.streams.NotReadableException;
import java.io.IOException;
import java.io.ObjectStreamException;
import java.util.Arrays;
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
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return failure instanceof RuntimeException
                && root instanceof RuntimeException
                && !(root instanceof KryoException);
    }

    /** @param before what the try before failed with; {@code null} if this is the first */
    static NotReplicableException refusal(Object value, Throwable failure, @Nullable Throwable before) {
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
                ? NotReplicableException.changing(value, failure)
                : NotReplicableException.never(value, failure);
    }
}
