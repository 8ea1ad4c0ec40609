package io.understudy.session.tickets;

import io.understudy.session.tickets.RunningTickets.Holders;

/**
 * The requests that read or set an attribute. Those that run may hold its object, and change it.
 *
 * <p>Threads: guarded by the slot.
 */
public final class SlotHolders {

    private final RunningTickets running;
    private final Tickets unanswered = new Tickets();
    private final Tickets answered = new Tickets();

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
    }

    /**
     * A commit is about to send what those of them changed that are not answered.
     *
     * @param own the ticket of the commit's request; 0 if it has none
     */
    public void sentBy(long own) {
        unanswered.forEachBut(own, running::sentByOther);
    }

    /** The same of a change that this one of them made. */
    public void sentBy(long own, long changer) {
        if (changer != own) {
            running.sentByOther(changer);
        }
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
