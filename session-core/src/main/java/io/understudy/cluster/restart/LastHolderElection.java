package io.understudy.cluster.restart;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.cluster.membership.Members;
import io.understudy.wire.Frame.Phase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Which member is the last holder of an application, as far as this member knows: the member that it chose, if it
 * decides, and the member that claims to be the last.
 *
 * <p>Threads: any; guarded by this.
 */
final class LastHolderElection {

    /** How long a member that stops waits for one that claims. */
    static final Duration CLAIM_LIMIT = Duration.ofSeconds(5);

    /** What a member that stops knows of the sessions. */
    enum Fate {
        /** Another member has kept them, with those that only this one had. */
        KEPT,
        /** Another member goes on, as far as is known. */
        ELSEWHERE,
        /** The member that decided that this one is not the last has left, and no member claims to be. */
        UNDECIDED,
        /** No member claims in time to be the last, or the one that did has left before it had kept the sessions. */
        UNCLAIMED,
        OPEN
    }

    private static final class Election {

        private @Nullable Address chosen;
        private boolean claimed;
        private boolean kept;

        /** The member that this one asked last. */
        private @Nullable Address decider;
    }

    private final Members members;
    private final Supplier<Address> self;
    private final LongPredicate heldHere;
    private final LongPredicate goesOn;

    @GuardedBy("this")
    private final Map<Long, Election> elections = new HashMap<>();

    /**
     * @param heldHere whether this member holds all sessions of an application, and does not stop
     * @param goesOn whether it has the application, at whatever phase, and does not stop
     */
    LastHolderElection(Members members, Supplier<Address> self, LongPredicate heldHere, LongPredicate goesOn) {
        this.members = members;
        this.self = self;
        this.heldHere = heldHere;
        this.goesOn = goesOn;
    }

    /** A member has the application that did not have it. */
    synchronized void present(long application) {
        elections.remove(application);
    }

    /** Whether {@code member}, which stops, is the last; this member is the first of the view. */
    synchronized boolean choose(Address member, long application) {
        boolean others = members.others(application, Phase.READY).stream().anyMatch(holder -> !holder.equals(member));
        boolean here = !member.equals(self.get()) && heldHere.test(application);
        if (others || here) {
            return false;
        }
        Election election = current(application);
        if (election.chosen == null) {
            election.chosen = member;
        }
        return member.equals(election.chosen);
    }

    /**
     * A member claims to be the last. Two members may: the member that decided may have left before others knew of
     * its choice. Then the claim of the lower address counts. A member that goes on remembers no claim: when it stops
     * one day, it has other sessions.
     *
     * @return whether this member knows of no other claim that counts
     */
    synchronized boolean claims(Address member, long application) {
        if (goesOn.test(application)) {
            return true;
        }
        Election election = current(application);
        Address known = election.chosen;
        if (known != null && election.claimed && !election.kept && known.compareTo(member) < 0) {
            return false;
        }
        if (!member.equals(known)) {
            election.kept = false;
        }
        election.chosen = member;
        election.claimed = true;
        return true;
    }

    /**
     * This member claims to be the last.
     *
     * @param nobody whether one that was chosen here, and did not claim it, does not count any more
     */
    synchronized boolean claim(long application, boolean nobody) {
        Election election = current(application);
        if (nobody) {
            election.decider = self.get();
        }
        boolean open = election.chosen == null || (nobody && !election.claimed);
        if (open || self.get().equals(election.chosen)) {
            election.chosen = self.get();
            election.claimed = true;
            return true;
        }
        return false;
    }

    /** Whether the claim of this member stands. */
    synchronized boolean claimed(long application) {
        Election election = current(application);
        return election.claimed && self.get().equals(election.chosen);
    }

    /**
     * Another member claims to be the last, too, and has the lower address. It reports when it has kept the sessions.
     */
    synchronized void withdraw(long application) {
        Election election = current(application);
        if (self.get().equals(election.chosen)) {
            election.chosen = null;
            election.claimed = false;
        }
    }

    /**
     * A member reports that it has kept the sessions. That counts only if the member claimed to be the last after
     * this one began to stop: else it may lack the last changes of this one.
     */
    synchronized void kept(Address member, long application) {
        Election election = current(application);
        election.kept |= election.claimed && member.equals(election.chosen);
    }

    /** A member decides whether this one is the last. */
    synchronized void asks(Address decider, long application) {
        current(application).decider = decider;
    }

    /** @param waitedNanos since this member asked */
    synchronized Fate fate(long application, long waitedNanos) {
        Election election = current(application);
        if (!members.others(application, Phase.READY).isEmpty()) {
            return Fate.ELSEWHERE;
        }
        if (election.claimed) {
            return election.kept ? Fate.KEPT : Fate.OPEN;
        }
        if (election.decider == null) {
            return Fate.UNCLAIMED;
        }
        if (!members.view().contains(election.decider)) {
            return Fate.UNDECIDED;
        }
        return waitedNanos > CLAIM_LIMIT.toNanos() ? Fate.UNCLAIMED : Fate.OPEN;
    }

    /**
     * Without a chosen member that left before it had kept the sessions. If it claimed to be the last, no decision
     * counts any more.
     */
    @GuardedBy("this")
    private Election current(long application) {
        Election election = elections.computeIfAbsent(application, first -> new Election());
        if (election.chosen != null && !election.kept && !members.view().contains(election.chosen)) {
            if (election.claimed) {
                election.decider = null;
            }
            election.chosen = null;
            election.claimed = false;
        }
        return election;
    }
}
