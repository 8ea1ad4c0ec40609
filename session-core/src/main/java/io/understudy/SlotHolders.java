package io.understudy;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The requests that read or set an attribute. Those that run may hold its object, and change it.
 *
 * <p>Threads: guarded by the slot.
 */
final class SlotHolders {

    private final RunningTickets running;
    private final Set<Long> unanswered = new HashSet<>(2);
    private final Set<Long> answered = new HashSet<>(2);

    SlotHolders(RunningTickets running) {
        this.running = running;
    }

    void add(Collection<Long> tickets) {
        unanswered.addAll(tickets);
    }

    /** The request is answered: it may still change the object, but keeps others from the newest value no longer. */
    void answered(long ticket) {
        if (unanswered.remove(ticket)) {
            answered.add(ticket);
        }
    }

    void over(long ticket) {
        unanswered.remove(ticket);
        answered.remove(ticket);
    }

    /** Whether a request has the object that is not answered. */
    boolean anyUnanswered() {
        return anyRuns(unanswered);
    }

    /** Whether a request may change the object, answered or not. */
    boolean any() {
        return anyRuns(unanswered) || anyRuns(answered);
    }

    /** A request that ended when there was no memory to {@linkplain #over tell} that is none. */
    private boolean anyRuns(Set<Long> tickets) {
        if (!tickets.isEmpty()) {
            tickets.removeIf(ticket -> !running.contains(ticket));
        }
        return !tickets.isEmpty();
    }
}
