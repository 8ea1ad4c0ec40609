package io.understudy.replica;

import org.jspecify.annotations.Nullable;

/**
 * A header field's value with the stamp of its write.
 *
 * @param stamp when the value was written, and by which member
 * @param value what was written
 */
public record Stamped<T extends Comparable<T>>(Stamp stamp, T value) {

    /** The later of both writes; of two writes with one stamp the greater value. */
    static <T extends Comparable<T>> @Nullable Stamped<T> later(@Nullable Stamped<T> a, @Nullable Stamped<T> b) {
        if (a == null) {
            return b;
        }
        if (b == null) {
            return a;
        }
        int byStamp = a.stamp.compareTo(b.stamp);
        if (byStamp == 0) {
            return a.value.compareTo(b.value) >= 0 ? a : b;
        }
        return byStamp > 0 ? a : b;
    }
}
