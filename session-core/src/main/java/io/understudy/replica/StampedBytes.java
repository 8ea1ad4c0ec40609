package io.understudy.replica;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An attribute's encoded value with the stamp of its write; without bytes it is the tombstone of a removed attribute. */
public final class StampedBytes {

    private final Stamp stamp;
    private final byte @Nullable [] bytes;

    private StampedBytes(Stamp stamp, byte @Nullable [] bytes) {
        this.stamp = stamp;
        this.bytes = bytes;
    }

    /** A written value. The array is kept, not copied: neither side may change it. */
    public static StampedBytes of(Stamp stamp, byte[] bytes) {
        return new StampedBytes(stamp, bytes);
    }

    /** A removal. */
    public static StampedBytes tombstone(Stamp stamp) {
        return new StampedBytes(stamp, null);
    }

    public Stamp stamp() {
        return stamp;
    }

    /** The value, or {@code null} for a removed attribute. */
    public byte @Nullable [] bytes() {
        return bytes;
    }

    /** Of two writes with one stamp the greater bytes count, so that all members choose alike; a removal is the least. */
    static int compareBytes(byte @Nullable [] a, byte @Nullable [] b) {
        if (a == null || b == null) {
            return a == b ? 0 : a == null ? -1 : 1;
        }
        return Arrays.compareUnsigned(a, b);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StampedBytes that && stamp.equals(that.stamp) && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return 31 * stamp.hashCode() + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return (bytes == null ? "removed" : bytes.length + " bytes") + "@" + stamp;
    }
}
