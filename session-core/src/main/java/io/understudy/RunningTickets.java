package io.understudy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The tickets of the requests that use a session now. A ticket is wholly in or out, also if there is no memory for it; to
 * take one out needs none.
 *
 * <p>Threads: any.
 */
final class RunningTickets {

    @GuardedBy("this")
    private long[] tickets = new long[1];

    private volatile int size;

    synchronized void add(long ticket) {
        int last = size;
        if (last == tickets.length) {
            tickets = Arrays.copyOf(tickets, 2 * last);
        }
        tickets[last] = ticket;
        size = last + 1;
    }

    /** @return whether it was in */
    synchronized boolean remove(long ticket) {
        int place = place(ticket);
        if (place < 0) {
            return false;
        }
        int last = size - 1;
        tickets[place] = tickets[last];
        size = last;
        return true;
    }

    synchronized boolean contains(long ticket) {
        return place(ticket) >= 0;
    }

    @GuardedBy("this")
    private int place(long ticket) {
        for (int i = 0; i < size; i++) {
            if (tickets[i] == ticket) {
                return i;
            }
        }
        return -1;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** As they are now. */
    synchronized Collection<Long> snapshot() {
        List<Long> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            all.add(tickets[i]);
        }
        return all;
    }
}
