package io.understudy.wire;

import java.util.Arrays;

/**
 * A frame as bytes, in an array that is used again for the next one.
 *
 * <p>Threads: one at a time.
 */
public final class FrameBuffer {

    private static final int FIRST_BYTES = 4 << 10;

    /** What a large frame needs beyond this is given back. */
    private static final int KEPT_BYTES = 1 << 20;

    private WireWriter out = new WireWriter(FIRST_BYTES);

    /** Writes a frame in the place of the one before, in the form of this wire version. */
    public void write(Frame frame, int version) {
        if (out.buffer().length > KEPT_BYTES) {
            out = new WireWriter(FIRST_BYTES);
        }
        out.clear();
        WireCodec.write(out, frame, version);
    }

    /** Bytes of the frame. */
    public int length() {
        return out.size();
    }

    /** The frame's bytes from the first on, and more behind them; until the next one is written. */
    public byte[] array() {
        return out.buffer();
    }

    /** The frame's bytes, for good. */
    public byte[] copy() {
        return Arrays.copyOf(out.buffer(), out.size());
    }
}
