package io.understudy.cluster.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.wire.Frame.Ack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which of the latest {@value #WINDOW} numbers of one member were acknowledged to it: it may ask for them once more. The
 * numbers of a member follow each other, with few gaps.
 *
 * <p>Threads: any; guarded by this.
 */
final class SentAcks {

    /**
     * In bits 128 KB. A member asks for an acknowledgement that it lacks once a second at least: at 500,000 changes in a
     * second its number is still known here.
     */
    static final int WINDOW = 1 << 19;

    /** No member counts so far; above it the arithmetic of the window would overflow. */
    private static final long MAX = Long.MAX_VALUE - WINDOW;

    private static final int BITS = 2;
    private static final int PER_WORD = Long.SIZE / BITS;

    private static final int NONE = 0;
    private static final int HELD = 1;
    private static final int PARKED = 2;

    /** Two bits for each number: whether this node acknowledged the change, and how. Allocated with the first acknowledgement. */
    @GuardedBy("this")
    private long @Nullable [] acknowledged;

    /** Above all numbers that were acknowledged. */
    @GuardedBy("this")
    private long end;

    synchronized void add(List<Ack> acks) {
        long[] words = acknowledged;
        if (words == null) {
            words = new long[WINDOW / PER_WORD];
            acknowledged = words;
        }
        for (int i = 0; i < acks.size(); i++) {
            add(words, acks.get(i));
        }
    }

    @GuardedBy("this")
    private void add(long[] words, Ack ack) {
        long number = ack.number();
        if (number < 1 || number > MAX) {
            return; // Of a member that makes up numbers.
        }
        if (number >= end) {
            forget(words, end, number);
            end = number + 1;
        } else if (number < end - WINDOW) {
            return;
        }
        put(words, number, ack.parked() ? PARKED : HELD);
    }

    /** Clears the bits of these numbers: their places hold the acknowledgements of older numbers. */
    private static void forget(long[] words, long from, long to) {
        if (to - from >= WINDOW) {
            Arrays.fill(words, 0);
            return;
        }
        for (long number = from; number < to; number++) {
            put(words, number, NONE);
        }
    }

    private static void put(long[] words, long number, int what) {
        int place = (int) (number & (WINDOW - 1));
        int shift = place % PER_WORD * BITS;
        words[place / PER_WORD] = (words[place / PER_WORD] & ~(3L << shift)) | ((long) what << shift);
    }

    /** Those of these numbers that were acknowledged, and are not too old. */
    synchronized List<Ack> of(Collection<Long> numbers) {
        long[] words = acknowledged;
        if (words == null) {
            return List.of();
        }
        List<Ack> known = new ArrayList<>();
        for (long number : numbers) {
            if (number < end && number >= end - WINDOW) {
                int place = (int) (number & (WINDOW - 1));
                long what = (words[place / PER_WORD] >>> (place % PER_WORD * BITS)) & 3;
                if (what != NONE) {
                    known.add(new Ack(number, what == PARKED));
                }
            }
        }
        return known;
    }
}
