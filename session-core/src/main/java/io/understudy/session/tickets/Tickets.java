package io.understudy.session.tickets;

import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * Numbers of requests, each once, in ascending order. A ticket is wholly in or out, also if there is no memory for it;
 * to take one out needs none.
 *
 * <p>Threads: guarded by whoever holds it.
 */
final class Tickets {

    private static final long[] NONE = {};

    private long[] tickets = NONE;
    private int size;

    void add(long ticket) {
        int place = size == 0 || ticket > tickets[size - 1] ? -size - 1 : place(ticket); // Mostly the last one.
        if (place >= 0) {
            return;
        }
        if (size == tickets.length) {
            tickets = Arrays.copyOf(tickets, Math.max(1, 2 * size));
        }
        place = -place - 1;
        System.arraycopy(tickets, place, tickets, place + 1, size - place);
        tickets[place] = ticket;
        size++;
    }

    /** @return whether it was in */
    boolean remove(long ticket) {
        int place = place(ticket);
        if (place < 0) {
            return false;
        }
        size--;
        System.arraycopy(tickets, place + 1, tickets, place, size - place);
        return true;
    }

    /** Whether one of them is kept: looks at the last ones until it is found, and takes out those that are not kept. */
    boolean any(LongPredicate kept) {
        while (size > 0 && !kept.test(tickets[size - 1])) {
            size--;
        }
        return size > 0;
    }

    /** The same without this one; takes out none. */
    boolean anyBut(long ticket, LongPredicate kept) {
        for (int i = size - 1; i >= 0; i--) {
            if (tickets[i] != ticket && kept.test(tickets[i])) {
                return true;
            }
        }
        return false;
    }

    void forEach(LongConsumer action) {
        for (int i = 0; i < size; i++) {
            action.accept(tickets[i]);
        }
    }

    boolean contains(long ticket) {
        return place(ticket) >= 0;
    }

    private int place(long ticket) {
        return Arrays.binarySearch(tickets, 0, size, ticket);
    }

    int size() {
        return size;
    }

    /** As they are now. */
    long[] snapshot() {
        return Arrays.copyOf(tickets, size);
    }
}
