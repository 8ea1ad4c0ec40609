package io.understudy.codec.buffers;

import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.BitSet;
import java.util.ConcurrentModificationException;

/**
 * Objects that are written as one array or text, which is made of the whole object: it has to fit, and the object may
 * be changing.
 */
public final class Bulk {

    private Bulk() {}

    public static boolean isOne(Class<?> type) {
        return type == StringBuilder.class
                || type == StringBuffer.class
                || type == BitSet.class
                || type == BigInteger.class;
    }

    /**
     * The same, which no other thread knows, or that nobody can change. A stream of a set of bits would first put the
     * words of the set itself into a new array, past who sets a bit meanwhile.
     *
     * <p>What is there is compared with what was read. Without a fence between them the compiler may read once only.
     *
     * @throws ConcurrentModificationException or another unchecked exception if it is changing
     * @throws TooLargeException if it does not fit into {@code out}
     */
    @SuppressWarnings({"JdkObsolete", "UnnecessaryStringBuilder"}) // It is to be of the same class.
    public static Object copy(Object bulk, BoundedOutput out) {
        if (bulk instanceof BigInteger number) {
            out.claim(number.bitLength() / Byte.SIZE);
            return number;
        } else if (bulk instanceof BitSet bits) {
            out.claim(bits.length() / Byte.SIZE);
            long[] words = bits.toLongArray();
            VarHandle.acquireFence();
            if (!Arrays.equals(words, bits.toLongArray())) {
                throw new ConcurrentModificationException();
            }
            return BitSet.valueOf(words);
        }
        CharSequence text = (CharSequence) bulk;
        out.claim(text.length());
        String read = text.toString();
        if (bulk instanceof StringBuffer) {
            return new StringBuffer(read);
        }
        VarHandle.acquireFence();
        if (!read.contentEquals(text)) {
            throw new ConcurrentModificationException();
        }
        return new StringBuilder(read);
    }
}
