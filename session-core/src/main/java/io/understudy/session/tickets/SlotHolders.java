package io.understudy.session.tickets;

import io.understudy.session.tickets.RunningTickets.Holders;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests that read or set an attribute. Those that run may hold its object, and change it.
 *
 * <p>Threads: guarded by the slot.
 */
public final class SlotHolders {

    private final RunningTickets running;
    private final Tickets unanswered = new Tickets();
    private final Tickets answered = new Tickets();

    /** The request that set the object since the last commit; 0 if none did, or it is not known. */
    private long setter;

    /** Those that changed objects, since the last commit, in whose place there is another one. */
    private @Nullable Tickets earlier;

    public SlotHolders(RunningTickets running) {
        this.running = running;
    }

    /** A request that is answered already keeps no other request from the newest value. */
    public void add(Holders holders) {
        for (int i = 0; i < holders.count(); i++) {
            long ticket = holders.ticket(i);
            if (running.isAnswered(ticket)) {
                answered.add(ticket);
            } else {
                unanswered.add(ticket);
            }
        }
    }

    /** The request is answered: it may still change the object, but keeps others from the newest value no longer. */
    public void answered(long ticket) {
        if (unanswered.remove(ticket)) {
            answered.add(ticket);
        }
    }

    public void over(long ticket) {
        boolean unused = unanswered.remove(ticket);
        unused = answered.remove(ticket);
        unused = earlier != null && earlier.remove(ticket);
    }

    /** A request sets the object. */
    public void setBy(Holders by) {
        setter = by.request();
    }

    /**
     * A request is about to set an object in the place of one that no commit has sent: what is sent instead decides how
     * that ends. If this fails nothing has changed.
     *
     * @param by the ticket of the request
     * @param inPlace whether the holders may have changed the former object, and do not hold the new one
     */
    public void replaced(long by, boolean inPlace) {
        if (by != 0 && oneRuns()) {
            return; // Of most: it changed the former one itself.
        }
        forChangers(inPlace, ticket -> {
            if (ticket != by && running.contains(ticket)) {
                earlier = earlier == null ? new Tickets() : earlier;
                earlier.add(ticket);
            }
        });
    }

    /**
     * Calls the action for the requests that may have changed what the next commit sends, and are not answered. Some of
     * them may be over.
     *
     * @param inPlace whether the holders may have changed the object
     */
    public void changers(boolean inPlace, LongConsumer action) {
        Tickets before = earlier;
        if (before != null) {
            before.forEach(action);
        }
        forChangers(inPlace, action);
    }

    private void forChangers(boolean inPlace, LongConsumer action) {
        if (setter != 0) {
            action.accept(setter);
        }
        if (inPlace || setter == 0) {
            unanswered.forEach(action);
        }
    }

    /** A commit has sent all. */
    public void sent() {
        setter = 0;
        earlier = null;
    }

    /** Whether this request has the object, or changed it or one before it since the last commit. */
    public boolean uses(long ticket) {
        return setter == ticket
                || (earlier != null && earlier.contains(ticket))
                || unanswered.contains(ticket)
                || answered.contains(ticket);
    }

    /** Whether a request has the object that is not answered. */
    public boolean anyUnanswered() {
        return anyRuns(unanswered);
    }

    /** The same, without the request of this ticket. */
    public boolean anyUnansweredBut(long ticket) {
        return unanswered.anyBut(ticket, running::contains);
    }

    /** Whether a request may change the object, answered or not. */
    public boolean any() {
        return anyRuns(unanswered) || anyRuns(answered);
    }

    /** Whether one request of the session runs at most. It need not be a holder: every commit tries what is put off. */
    public boolean oneRuns() {
        return running.size() <= 1;
    }

    /** A request that ended when there was no memory to {@linkplain #over tell} that is none. */
    private boolean anyRuns(Tickets tickets) {
        return tickets.size() > 0 && tickets.any(running::contains);
    }
}
