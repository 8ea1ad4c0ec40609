package io.understudy.codec.streams;

import io.understudy.codec.classes.ClassFilter;
import java.io.ObjectInputFilter;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filter for one JDK stream, which can't allocate much more than it is long. Of its objects there is no bound to
 * look at: each, also a null and what was there before, takes a byte at least. It is asked of the classes that the
 * stream names, and of those that objects are replaced by when they are read. A stream says of a refusal only that
 * there was one: this says why.
 *
 * <p>Threads: that which reads the stream.
 */
final class StreamFilter implements ObjectInputFilter {

    /**
     * Elements of arrays for each byte of the stream: a map of entries of two bytes may ask for a table with eight
     * times as many places.
     */
    private static final int ELEMENTS_PER_BYTE = 8;

    /** Elements in any stream, however short. */
    private static final int ALLOWANCE = 1 << 16;

    private final ClassFilter classes;
    private final int bytes;
    private final long bound;
    private long elements;
    private final @Nullable Set<Class<?>> collected;
    private @Nullable String refusal;

    /** @param bytes of the stream */
    StreamFilter(ClassFilter classes, int bytes) {
        this(classes, bytes, null);
    }

    /** @param collected gets the classes that are refused, and reading goes on; if it is {@code null}, reading ends */
    StreamFilter(ClassFilter classes, int bytes, @Nullable Set<Class<?>> collected) {
        this.classes = classes;
        this.collected = collected;
        this.bytes = bytes;
        this.bound = (long) bytes * ELEMENTS_PER_BYTE + ALLOWANCE;
    }

    @Override
    public Status checkInput(FilterInfo info) {
        elements += Math.max(0, info.arrayLength());
        String reason = reason(info);
        if (reason == null) {
            return Status.UNDECIDED;
        }
        refusal = reason;
        return Status.REJECTED;
    }

    private @Nullable String reason(FilterInfo info) {
        if (info.depth() > ClassFilter.MAX_DEPTH) {
            return "expected objects nested at most " + ClassFilter.MAX_DEPTH + " deep, found " + info.depth();
        }
        if (elements > bound) {
            return "expected at most " + bound + " elements in " + bytes + " bytes, found " + elements;
        }
        Class<?> type = info.serialClass();
        if (type == null) {
            return null;
        }
        String objection = classes.objectionToOrigin(type);
        if (objection != null && collected != null) {
            collected.add(type);
            return null;
        }
        return objection;
    }

    /** Why it refused what it was asked last; {@code null} if it refused nothing. */
    @Nullable
    String refusal() {
        return refusal;
    }
}
