package io.understudy.session.tickets;

import java.util.Arrays;
import java.util.function.LongPredicate;

/**
 * A few numbers of requests, each once. A ticket is wholly in or out, also if there is no memory for it; to take one out
 * needs none.
 *
 * <p>Threads: guarded by whoever holds it.
 */
final class Tickets {

    private static final long[] NONE = {};

    private long[] tickets = NONE;
    private int size;

    void add(long ticket) {
        if (place(ticket) >= 0) {
            return;
        }
        if (size == tickets.length) {
            tickets = Arrays.copyOf(tickets, Math.max(1, 2 * size));
        }
        tickets[size++] = ticket;
    }

    /** @return whether it was in */
    boolean remove(long ticket) {
        int place = place(ticket);
        if (place < 0) {
            return false;
        }
        tickets[place] = tickets[--size];
        return true;
    }

    void removeUnless(LongPredicate kept) {
        for (int i = size - 1; i >= 0; i--) {
            if (!kept.test(tickets[i])) {
                tickets[i] = tickets[--size];
            }
        }
    }

    boolean contains(long ticket) {
        return place(ticket) >= 0;
    }

    private int place(long ticket) {
        for (int i = 0; i < size; i++) {
            if (tickets[i] == ticket) {
                return i;
            }
        }
        return -1;
    }

    int size() {
        return size;
    }

    /** As they are now. */
    long[] snapshot() {
        return Arrays.copyOf(tickets, size);
    }
}
