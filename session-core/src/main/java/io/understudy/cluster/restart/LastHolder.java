package io.understudy.cluster.restart;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.threads.Changes;
import io.understudy.wire.Frame.LastAnswer;
import io.understudy.wire.Frame.LastRequest;
import io.understudy.wire.Frame.Phase;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jgroups.Address;

/**
 * Which of the members that stop is the last that holds an application: it alone keeps the sessions. Asked after the
 * goodbye is known to all; the first member of the view decides, so that of two that stop at once one is chosen. Where
 * nobody decides, two may be the last, never none.
 *
 * <p>Threads: any; {@link #isLast} waits.
 */
public final class LastHolder {

    private static final Logger LOG = System.getLogger(LastHolder.class.getName());

    /** How long others are asked. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    /** How long the last holder may take to pull what this member has more. */
    private static final Duration GATHERING_LIMIT = Duration.ofSeconds(30);

    /** The longest wait, in milliseconds, before the view is looked at again. */
    private static final long LOOK_AGAIN_MILLIS = 50;

    private final Members members;
    private final Supplier<Address> self;
    private final RequestCorrelator exchange;
    private final LongPredicate heldHere;
    private final Changes changes = new Changes();

    /** The last holder of each application, until somebody has it again. */
    @GuardedBy("this")
    private final Map<Long, Address> chosen = new HashMap<>();

    /** By which requests it said so: before it pulls what others have more, and afterwards. One may come twice. */
    @GuardedBy("this")
    private final Map<Long, Set<Long>> told = new HashMap<>();

    /** @param heldHere whether this member holds all sessions of an application, and does not stop */
    public LastHolder(Members members, Supplier<Address> self, RequestCorrelator exchange, LongPredicate heldHere) {
        this.members = members;
        this.self = self;
        this.exchange = exchange;
        this.heldHere = heldHere;
    }

    /** Somebody has the application. */
    public synchronized void present(long application) {
        chosen.remove(application);
        told.remove(application);
    }

    /** Whether {@code member}, which stops, is the last; this member is the first of the view. */
    synchronized boolean choose(Address member, long application) {
        List<Address> holders = members.others(application, Phase.READY);
        boolean others = holders.stream().anyMatch(holder -> !holder.equals(member));
        boolean here = !member.equals(self.get()) && heldHere.test(application);
        if (others || here) {
            return false;
        }
        Address first = chosen.putIfAbsent(application, member);
        return first == null || first.equals(member);
    }

    /** A member that stops requests this, or announces it. */
    public boolean asked(Address member, LastRequest request) {
        if (!request.taken()) {
            return choose(member, request.application());
        }
        boolean taken = taken(member, request);
        changes.signal();
        return taken;
    }

    /**
     * A member keeps the sessions, unless this one is about to, and comes first: who decided may have left before others
     * knew of whom it chose, and then two are chosen.
     */
    private synchronized boolean taken(Address member, LastRequest request) {
        long application = request.application();
        Address known = chosen.get(application);
        if (self.get().equals(known) && self.get().compareTo(member) < 0) {
            return false;
        }
        if (!member.equals(chosen.put(application, member))) {
            told.remove(application);
        }
        told.computeIfAbsent(application, first -> new HashSet<>()).add(request.request());
        return true;
    }

    /**
     * Whether this member is the last; its goodbye is known to the others. If it is, all others know when this returns, and
     * none takes itself for the last any more.
     */
    boolean isLast(long application) {
        if (!decided(application) || !takes(application)) {
            return false;
        }
        return tellAll(application) && takes(application);
    }

    /** The others have nothing more that this member, the last, needs. */
    void gathered(long application) {
        tellAll(application);
    }

    /** Waits until the last holder has what this member has; it left already where another one goes on. */
    void awaitGathered(long application) {
        long began = System.nanoTime();
        boolean gathered = false;
        try {
            while (!gathered) {
                gathered = changes.await(() -> gathered(application, System.nanoTime() - began), LOOK_AGAIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized boolean gathered(long application, long waitedNanos) {
        if (!members.others(application, Phase.READY).isEmpty()) {
            return true;
        }
        int times = told.getOrDefault(application, Set.of()).size();
        Address last = chosen.get(application);
        boolean there = last == null || members.view().contains(last);
        return times > 1 || !there || waitedNanos > (times == 0 ? LIMIT : GATHERING_LIMIT).toNanos();
    }

    private boolean tellAll(long application) {
        boolean agreed = true;
        for (Address member : members.view()) {
            agreed = agreed && (member.equals(self.get()) || tell(member, application));
        }
        return agreed;
    }

    /** Whether no other member takes the sessions. */
    private synchronized boolean takes(long application) {
        Address known = chosen.putIfAbsent(application, self.get());
        return known == null || known.equals(self.get());
    }

    private boolean tell(Address member, long application) {
        try {
            return exchange.ask(
                            member,
                            number -> new LastRequest(number, application, true),
                            LastAnswer.class,
                            ANSWER_LIMIT)
                    .last();
        } catch (NoAnswerException e) {
            LOG.log(Level.DEBUG, "a member did not confirm which member keeps the sessions: {0}", e.getMessage());
            return true;
        }
    }

    private boolean decided(long application) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (System.nanoTime() < end) {
            List<Address> view = members.view();
            if (view.isEmpty() || view.get(0).equals(self.get())) {
                return choose(self.get(), application);
            }
            try {
                return exchange.ask(
                                view.get(0),
                                number -> new LastRequest(number, application, false),
                                LastAnswer.class,
                                ANSWER_LIMIT)
                        .last();
            } catch (NoAnswerException e) {
                if (!rested()) {
                    return true;
                }
            }
        }
        return true;
    }

    /** Before the next question, as some fail at once; whether this thread was not interrupted. */
    private boolean rested() {
        try {
            boolean unused = changes.await(() -> false, LOOK_AGAIN_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
