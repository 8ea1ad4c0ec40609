package io.understudy.sealing;

/**
 * Which of the numbers that a sender gave its frames came already: of the {@value #SPAN} up to the highest. Below them nobody knows, so those
 * count as too old. Numbers that went to others leave gaps. The bits are in a ring that moves by whole words (RFC 6479).
 *
 * <p>Its span is above what passes on the other connections and sockets of a member while one of its threads waits for a processor: 50,000 frames/s for a second.
 *
 * <p>Threads: the caller's lock.
 */
final class ReplayWindow {

    private static final int WORDS = 1024;
    static final int SPAN = (WORDS - 1) * Long.SIZE;

    private final long[] seen = new long[WORDS];

    /** Nothing below it is taken. */
    private final long floor;

    /** The word of the highest number so far. */
    private long highest;

    ReplayWindow(long floor) {
        this.floor = floor;
        this.highest = floor / Long.SIZE;
    }

    /** What came of a number. */
    enum Verdict {
        FRESH,
        SEEN,
        TOO_OLD
    }

    /** Takes note of a number that is not negative. */
    Verdict accept(long number) {
        long word = number / Long.SIZE;
        if (number < floor || word <= highest - WORDS) {
            return Verdict.TOO_OLD;
        }
        for (long next = Math.max(highest, word - WORDS) + 1; next <= word; next++) {
            seen[(int) (next % WORDS)] = 0;
        }
        highest = Math.max(highest, word);
        long bit = 1L << (number % Long.SIZE);
        int at = (int) (word % WORDS);
        if ((seen[at] & bit) != 0) {
            return Verdict.SEEN;
        }
        seen[at] |= bit;
        return Verdict.FRESH;
    }
}
