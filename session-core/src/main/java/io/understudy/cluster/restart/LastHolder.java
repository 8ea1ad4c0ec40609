package io.understudy.cluster.restart;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.cluster.restart.LastHolderElection.Fate;
import io.understudy.threads.Changes;
import io.understudy.wire.Frame.LastAnswer;
import io.understudy.wire.Frame.LastRequest;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Stage;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jgroups.Address;

/**
 * Which of the members that stop is the last that holds an application: it alone keeps the sessions. Asked after the
 * goodbye is known to all; the first member of the view decides, so that of two that stop at once one is chosen. Where
 * nobody decides, two may be the last, never none: a decision does not count any more when who made it, or who was
 * chosen, left before the sessions were kept. One that leaves may decide by what it knew when it was in the view.
 *
 * <p>Threads: any; those methods wait that no message of another member calls.
 */
public final class LastHolder {

    private static final Logger LOG = System.getLogger(LastHolder.class.getName());

    static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    /** The longest wait, in milliseconds, before the view is looked at again. */
    private static final long LOOK_AGAIN_MILLIS = 50;

    private final Members members;
    private final Supplier<Address> self;
    private final RequestCorrelator exchange;
    private final LastHolderElection election;
    private final Changes changes = new Changes();

    /**
     * @param heldHere whether this member holds all sessions of an application, and does not stop
     * @param goesOn whether it has the application, at whatever phase, and does not stop
     */
    public LastHolder(
            Members members,
            Supplier<Address> self,
            RequestCorrelator exchange,
            LongPredicate heldHere,
            LongPredicate goesOn) {
        this.members = members;
        this.self = self;
        this.exchange = exchange;
        this.election = new LastHolderElection(members, self, heldHere, goesOn);
    }

    /** A member has the application that did not have it. */
    public void present(long application) {
        election.present(application);
    }

    /** Another member that stops asks or announces this. */
    public boolean asked(Address member, LastRequest request) {
        long application = request.application();
        boolean answer = switch (request.stage()) {
            case ASKS -> election.choose(member, application);
            case CLAIMS -> election.claims(member, application);
            case KEPT -> {
                election.kept(member, application);
                yield true;
            }
            case HANDS_OVER -> false; // The application answers it.
        };
        changes.signal();
        return answer;
    }

    /**
     * Whether this member is the last; its goodbye is known to the others. If it is, all others know when this
     * returns, and none takes itself for the last any more.
     */
    boolean isLast(long application) {
        return decided(application) && claim(application, false);
    }

    /** The same, as no member claims to be the last. */
    boolean isLastAsNobodyIs(long application) {
        return claim(application, true);
    }

    private boolean claim(long application, boolean nobody) {
        if (!election.claim(application, nobody)) {
            return false;
        }
        for (Address member : members.view()) {
            if (!member.equals(self.get()) && !tell(member, application, Stage.CLAIMS)) {
                election.withdraw(application);
                return false;
            }
        }
        return election.claimed(application);
    }

    /** This member, the last, has kept the sessions. */
    void kept(long application) {
        for (Address member : members.view()) {
            if (!member.equals(self.get())) {
                boolean unused = tell(member, application, Stage.KEPT);
            }
        }
    }

    /**
     * Waits until the last holder has kept the sessions.
     *
     * @param end the longest, by {@link System#nanoTime}
     * @return {@link Fate#OPEN} if it is over, or this thread was interrupted
     */
    Fate awaitKept(long application, long end) {
        long began = System.nanoTime();
        Fate fate = election.fate(application, 0);
        boolean waits = true;
        while (fate == Fate.OPEN && waits && System.nanoTime() - end < 0) {
            waits = awaited(() -> election.fate(application, System.nanoTime() - began) != Fate.OPEN);
            fate = election.fate(application, System.nanoTime() - began);
        }
        return fate;
    }

    /**
     * Whether a member that goes on has now all that this one has.
     *
     * @param end how long it may take, by {@link System#nanoTime}
     */
    boolean handedOver(long application, long end) {
        List<Address> holders = members.others(application, Phase.READY);
        for (Address member : holders) {
            try {
                LastAnswer answer = exchange.ask(
                        member,
                        number -> new LastRequest(number, application, Stage.HANDS_OVER),
                        LastAnswer.class,
                        Duration.ofNanos(Math.max(0, end - System.nanoTime())));
                if (answer.last()) {
                    return true;
                }
            } catch (NoAnswerException e) {
                LOG.log(Level.DEBUG, "a member did not take over sessions: {0}", e.getMessage());
            }
        }
        if (!holders.isEmpty()) {
            boolean unused = awaited(() -> false); // They soon announce that they don't go on.
        }
        return false;
    }

    private boolean tell(Address member, long application, Stage stage) {
        try {
            return exchange.ask(
                            member,
                            number -> new LastRequest(number, application, stage),
                            LastAnswer.class,
                            ANSWER_LIMIT)
                    .last();
        } catch (NoAnswerException e) {
            LOG.log(Level.DEBUG, "a member did not confirm which member keeps the sessions: {0}", e.getMessage());
            return true;
        }
    }

    private boolean decided(long application) {
        long end = System.nanoTime() + LastHolderElection.CLAIM_LIMIT.toNanos();
        while (System.nanoTime() < end) {
            List<Address> view = members.view();
            Address decider = view.isEmpty() ? self.get() : view.get(0);
            election.asks(decider, application);
            if (decider.equals(self.get())) {
                return election.choose(decider, application);
            }
            try {
                return exchange.ask(
                                decider,
                                number -> new LastRequest(number, application, Stage.ASKS),
                                LastAnswer.class,
                                ANSWER_LIMIT)
                        .last();
            } catch (NoAnswerException e) {
                if (!awaited(() -> false)) { // Before the next question, as some fail at once.
                    return true;
                }
            }
        }
        return true;
    }

    /** Waits for it, for a short while; whether this thread was not interrupted. */
    private boolean awaited(BooleanSupplier condition) {
        try {
            boolean unused = changes.await(condition, LOOK_AGAIN_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
