package io.understudy.codec;

import com.esotericsoftware.kryo.io.Output;

/**
 * The bytes of one attribute, in either format, up to a bound. What needs more is given up at the bound, and holds no
 * more memory than about that: neither in its bytes nor in what is made to write it.
 *
 * <p>Every element of a collection takes a byte at least, so all that are written into one attribute together may be as
 * many as it may have bytes.
 */
final class BoundedOutput extends Output {

    /** The first size, in bytes, of the buffer. */
    private static final int BUFFER_BYTES = 512;

    private final int maxBytes;
    private long left;
    private boolean full;

    BoundedOutput(int maxBytes) {
        super(Math.min(BUFFER_BYTES, maxBytes), maxBytes);
        this.maxBytes = maxBytes;
        this.left = maxBytes;
    }

    /**
     * Elements are about to be copied, and then written.
     *
     * @throws TooLargeException if they can't fit
     */
    void claim(long elements) {
        if (elements > left) {
            throw overflow();
        }
        left -= elements;
    }

    /** Whether the value did not fit. */
    boolean full() {
        return full;
    }

    /** Forgets what was written: the value is written anew, in the other format. */
    void restart() {
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
