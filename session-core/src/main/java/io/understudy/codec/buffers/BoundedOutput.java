package io.understudy.codec.buffers;

import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of one attribute, in either format, up to a bound. What needs more is given up at the bound, and holds no
 * more memory than about that: neither in its bytes nor in what is made to write it.
 *
 * <p>Every element of a collection takes a byte at least, so all that are written into one attribute together may be as
 * many as it may have bytes.
 */
public final class BoundedOutput extends Output {

    /** The first size, in bytes, of the buffer. */
    private static final int BUFFER_BYTES = 512;

    /** A larger buffer is not kept for other values. */
    private static final int MOST_KEPT = 64 << 10;

    private final int maxBytes;
    private long left;
    private boolean full;

    public BoundedOutput(int maxBytes) {
        this(BUFFER_BYTES, maxBytes);
    }

    /** @param size of the buffer at first, in bytes */
    public BoundedOutput(int size, int maxBytes) {
        super(Math.min(size, maxBytes), maxBytes);
        this.maxBytes = maxBytes;
        this.left = maxBytes;
    }

    /** Empties it for another value, if it is of this bound and took none that failed, or that was large. */
    public boolean reuse(int bound) {
        boolean fit = bound == maxBytes && !full && buffer.length <= MOST_KEPT;
        if (fit) {
            restart();
        }
        return fit;
    }

    /**
     * Elements are about to be copied, and then written.
     *
     * @throws TooLargeException if they can't fit
     */
    public void claim(long elements) {
        if (elements > left) {
            throw overflow();
        }
        left -= elements;
    }

    /** Whether the value did not fit. */
    public boolean full() {
        return full;
    }

    /** Forgets what was written: the value is written anew, in the other format. */
    public void restart() {
        reset();
        left = maxBytes;
    }

    /** @throws TooLargeException if the value did not fit, and who wrote it went on all the same */
    @Override
    public byte[] toBytes() {
        if (full) {
            throw overflow();
        }
        return super.toBytes();
    }

    /**
     * The same, as an array that the caller may know.
     *
     * @param known is returned if it holds these bytes
     * @param last whether nothing more is written: then the buffer is returned if it is full to the last byte
     */
    public byte[] toBytes(byte @Nullable [] known, boolean last) {
        if (!full && known != null && Arrays.equals(buffer, 0, position, known, 0, known.length)) {
            return known;
        }
        return !full && last && position == buffer.length ? buffer : toBytes();
    }

    private TooLargeException overflow() {
        full = true;
        return new TooLargeException(maxBytes);
    }

    @Override
    protected boolean require(int required) {
        if (required > maxBytes - position) {
            throw overflow();
        }
        return super.require(required);
    }
}
