package io.understudy.session.tickets;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Tickets} of the requests that use a session now.
 *
 * <p>Threads: any.
 */
public final class RunningTickets {

    /**
     * Who is given an object, or sets it, and may hold and change it from then on.
     *
     * @param request the ticket of the one request that does; 0 if that is not known
     * @param several the tickets of all that may hold it, if it is not one alone; nobody changes them
     * @param outside whether a thread may that works for no request, or for one that is not known: nobody tells when it is done
     * @param holds whether the request may hold it
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    public record Holders(long request, long[] several, boolean outside, boolean holds) {

        private static final long[] NONE = {};

        public static final Holders NOBODY = setter(0);

        /** These requests, and a thread beyond their end. */
        public static Holders beyond(long... tickets) {
            return new Holders(0, tickets, true, false);
        }

        /** The request sets an object that nobody changes in place. */
        public static Holders setter(long ticket) {
            return new Holders(ticket, NONE, false, false);
        }

        private static Holders of(long ticket) {
            return new Holders(ticket, NONE, false, true);
        }

        /** How many requests may hold it. */
        public int count() {
            return holds ? 1 : several.length;
        }

        public long ticket(int place) {
            return holds ? request : several[place];
        }
    }

    @GuardedBy("this")
    private final Tickets tickets = new Tickets();

    /** Those of them whose responses are complete. */
    @GuardedBy("this")
    private final Tickets answered = new Tickets();

    private volatile int size;

    /** The holders of the last request that asked for its own. */
    private volatile @Nullable Holders last;

    public synchronized void add(long ticket) {
        tickets.add(ticket);
        size = tickets.size();
    }

    /** The response of the request is about to be complete. */
    public synchronized void answered(long ticket) {
        if (tickets.contains(ticket)) {
            answered.add(ticket);
        }
    }

    public synchronized boolean isAnswered(long ticket) {
        return answered.contains(ticket);
    }

    /** @return whether it was in */
    public synchronized boolean remove(long ticket) {
        last = null;
        boolean removed = tickets.remove(ticket);
        boolean unused = answered.remove(ticket);
        size = tickets.size();
        return removed;
    }

    public synchronized boolean contains(long ticket) {
        return tickets.contains(ticket);
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public int size() {
        return size;
    }

    /** The request with this ticket; if it is 0 all that run, and the calling thread beyond their end. */
    public Holders holders(long ticket) {
        if (ticket == 0) {
            return Holders.beyond(snapshot());
        }
        Holders made = last; // A request asks for each attribute that it uses.
        if (made == null || made.request() != ticket) {
            made = Holders.of(ticket);
            last = made;
        }
        return made;
    }

    /** As they are now. */
    public synchronized long[] snapshot() {
        return tickets.snapshot();
    }
}
