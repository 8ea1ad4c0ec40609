package io.understudy.codec.buffers;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that can't make a reader allocate much more than they are long. Kryo 5.6 allocates what a length declares before it
 * looks whether that many bytes are there: nine bytes were enough to fill a heap.
 *
 * <p>Every element of an array, a collection or a string takes a byte at least, but for a collection of nulls. So all lengths
 * in one attribute together may be as many as it has bytes, and some more.
 */
public final class BoundedInput extends Input {

    /** Elements that need no bytes: nulls in collections. */
    private static final int ALLOWANCE = 1 << 16;

    private long left;

    public BoundedInput(byte[] bytes, int offset, int count) {
        super(bytes, offset, count);
        left = (long) count + ALLOWANCE;
    }

    /**
     * Elements are about to be allocated.
     *
     * @throws KryoException if there can't be so many
     */
    public void claim(int elements) {
        if (elements < 0 || elements > left) {
            throw new KryoException("expected at most " + left + " elements in " + (limit - position)
                    + " bytes, found a length of " + elements + " at offset " + position);
        }
        left -= elements;
    }

    /** @throws KryoException if there are more bytes */
    public void checkEnd() {
        if (position != limit) {
            throw new KryoException("expected the end of the value, found " + (limit - position) + " more bytes");
        }
    }

    /** Text of ASCII is made of its bytes at once, without an array of characters in between. */
    @Override
    public @Nullable String readString() {
        if (readVarIntFlag()) {
            int begin = position;
            long before = left;
            int length = readVarIntFlag(true) - 1;
            if (length > 0 && length <= limit - position && ascii(length)) {
                position += length;
                return new String(buffer, position - length, length, StandardCharsets.ISO_8859_1);
            }
            position = begin;
            left = before;
        }
        return super.readString();
    }

    private boolean ascii(int length) {
        for (int i = position; i < position + length; i++) {
            if (buffer[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** In Kryo 5.6 the lengths of strings and of collections. */
    @Override
    public int readVarIntFlag(boolean optimizePositive) {
        int length = super.readVarIntFlag(optimizePositive);
        claim(length);
        return length;
    }

    @Override
    public byte[] readBytes(int count) {
        claim(count);
        return super.readBytes(count);
    }

    @Override
    public int[] readInts(int length) {
        claim(length);
        return super.readInts(length);
    }

    @Override
    public int[] readInts(int length, boolean optimizePositive) {
        claim(length);
        return super.readInts(length, optimizePositive);
    }

    @Override
    public long[] readLongs(int length) {
        claim(length);
        return super.readLongs(length);
    }

    @Override
    public long[] readLongs(int length, boolean optimizePositive) {
        claim(length);
        return super.readLongs(length, optimizePositive);
    }

    @Override
    public float[] readFloats(int length) {
        claim(length);
        return super.readFloats(length);
    }

    @Override
    public double[] readDoubles(int length) {
        claim(length);
        return super.readDoubles(length);
    }

    @Override
    public short[] readShorts(int length) {
        claim(length);
        return super.readShorts(length);
    }

    @Override
    public char[] readChars(int length) {
        claim(length);
        return super.readChars(length);
    }
}
