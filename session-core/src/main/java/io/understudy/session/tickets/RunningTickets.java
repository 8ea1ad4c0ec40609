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
     * Who may hold an object that is given out, and change it.
     *
     * @param request the ticket of the one request that may; 0 if it is not one alone
     * @param several the tickets of all, if it is not one alone; nobody changes them
     * @param outside whether a thread may that works for no request, or for one that is not known: nobody tells when it is done
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    public record Holders(long request, long[] several, boolean outside) {

        private static final long[] NONE = {};

        public static final Holders NOBODY = new Holders(0, NONE, false);

        /** These requests, and a thread beyond their end. */
        public static Holders beyond(long... tickets) {
            return new Holders(0, tickets, true);
        }

        private static Holders of(long ticket) {
            return new Holders(ticket, NONE, false);
        }

        public int count() {
            return request == 0 ? several.length : 1;
        }

        public long ticket(int place) {
            return request == 0 ? several[place] : request;
        }
    }

    @GuardedBy("this")
    private final Tickets tickets = new Tickets();

    /** Those of them whose responses are complete. */
    @GuardedBy("this")
    private final Tickets answered = new Tickets();

    /** Those for which another commit than their own has sent something. */
    @GuardedBy("this")
    private final Tickets sentByOthers = new Tickets();

    private volatile boolean anySentByOthers;

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

    /** A commit that is not the request's own is about to send what the request may have changed. */
    synchronized void sentByOther(long ticket) {
        if (tickets.contains(ticket)) {
            sentByOthers.add(ticket);
            anySentByOthers = true;
        }
    }

    /** Whether that was so since this was last asked. */
    public boolean takeSentByOther(long ticket) {
        return anySentByOthers && taken(ticket);
    }

    private synchronized boolean taken(long ticket) {
        boolean was = sentByOthers.remove(ticket);
        anySentByOthers = sentByOthers.size() > 0;
        return was;
    }

    synchronized boolean isAnswered(long ticket) {
        return answered.contains(ticket);
    }

    /** @return whether it was in */
    public synchronized boolean remove(long ticket) {
        last = null;
        boolean removed = tickets.remove(ticket);
        boolean unused = answered.remove(ticket);
        unused = taken(ticket);
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
