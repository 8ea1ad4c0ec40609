package io.understudy.cluster;

import io.understudy.cluster.Exchange.NoAnswerException;
import io.understudy.cluster.Members.Census;
import io.understudy.codec.Frame.Phase;
import io.understudy.config.UnderstudyConfig;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jgroups.Address;

/**
 * Brings an application on this member from nothing to ready, and repairs it after partitions.
 *
 * <p>Joining: pull from a ready member; announce to be counted, upon which every member waits for this one's
 * acknowledgements and says so; then compare with every member once more, as what they sent before they began to count
 * may have been missed. Only then ready. Where nobody is ready, the first member of the view is complete by definition.
 *
 * <p>What fails half way is begun again: the application is not ready, or held back, until it is through.
 *
 * <p>Threads: one of its own makes the rounds.
 */
final class Joiner implements Loop.Rounds {

    private static final Logger LOG = System.getLogger(Joiner.class.getName());

    /** The longest wait, in milliseconds, before the state of affairs is looked at again without having been notified. */
    private static final long LOOK_AGAIN_MILLIS = 250;

    /** The longest wait, in milliseconds, of one that has nothing to do: it is to be seen that it lives. */
    private static final long ROUND_MILLIS = 1000;

    private final ApplicationGroup group;
    private final Level news;
    private final Members members;
    private final Reconciler reconciler;
    private final long aloneAtNanos;
    private final int configuredMembers;
    private final long intervalMillis;
    private final Set<Address> counting = new HashSet<>();
    private boolean repair;
    private boolean stopped;

    /** For its thread. */
    private boolean joined;

    /** Whether the others are still to be asked to take over what was restored. For its thread. */
    private boolean restored;

    /** When it compares next at the interval, by {@link System#nanoTime}. For its thread. */
    private long compareAtNanos;

    Joiner(ApplicationGroup group, Members members, Reconciler reconciler, UnderstudyConfig config, Level news) {
        this.news = news;
        this.group = group;
        this.members = members;
        this.reconciler = reconciler;
        this.aloneAtNanos = System.nanoTime() + config.startAloneAfter().toNanos();
        this.configuredMembers =
                config.hosts().isEmpty() ? Integer.MAX_VALUE : config.hosts().size();
        this.intervalMillis = config.reconcileInterval().toMillis();
    }

    /** A member waits for this one's acknowledgements from now on. */
    void counting(Address member) {
        synchronized (members) {
            counting.add(member);
            members.notifyAll();
        }
    }

    /** The view was merged of several: compare with everybody. */
    void repair() {
        synchronized (members) {
            repair = true;
            members.notifyAll();
        }
    }

    void stop() {
        synchronized (members) {
            stopped = true;
            members.notifyAll();
        }
    }

    @Override
    public boolean round() throws InterruptedException {
        if (isStopped()) {
            return false;
        }
        if (restored) {
            announceRestored();
        }
        if (!joined) {
            if (join()) {
                confirmUnlessRepairing();
                compareAtNanos = nextComparison();
                joined = true;
            } else {
                pause();
            }
        } else if (awaitRepair()) {
            repairAll();
            compareAtNanos = nextComparison();
        } else if (System.nanoTime() - compareAtNanos >= 0) {
            compareAtNanos = nextComparison();
            compareAtInterval();
        }
        return true;
    }

    /** One attempt; false to try again. */
    private boolean join() throws InterruptedException {
        if (!members.allSpoke()) {
            group.waitingFor("the announcements of the members " + members.silent());
            return false;
        }
        List<Address> ready = members.others(group.number(), Phase.READY);
        if (ready.isEmpty()) {
            String outsider = group.outsider();
            if (outsider != null) {
                group.waitingFor(outsider);
                return false;
            }
            return completeByDefinition();
        }
        try {
            group.waitingFor("sessions pulled from " + ready.get(0));
            int pulled = reconciler.pullAllBesideRequests(ready.get(0));
            group.phase(Phase.COUNTED);
            pulled += compareWithAll();
            LOG.log(news, "{0} - joined, {1} sessions pulled", group.label(), pulled);
            group.restoration().run(); // Not before: what the others know of these sessions counts more.
            group.phase(Phase.READY);
            restored = true;
            announceRestored();
            return true;
        } catch (NoAnswerException e) {
            LOG.log(Level.INFO, "{0} - still joining: {1}", group.label(), e.getMessage());
            return false;
        }
    }

    /** Until it is sent, with each round. */
    private void announceRestored() {
        try {
            group.restoration().announce();
            restored = false;
        } catch (RuntimeException | Error e) {
            group.survived("announcing restored sessions; the node retries", e);
        }
    }

    private boolean completeByDefinition() throws InterruptedException {
        Address first = members.first(group.number(), group.restoration().pending());
        if (!members.isSelf(first)) {
            group.waitingFor(first + " to get ready; no member is ready yet");
            return false;
        }
        // Then nobody here has sessions of an earlier run; who has may not be here yet, or not have said so.
        boolean incomplete =
                group.restoration().elsewhere() && !members.allHave(group.number(), Math.max(2, configuredMembers));
        boolean alone = members.view().size() == 1;
        if ((alone || incomplete) && System.nanoTime() - aloneAtNanos < 0) {
            group.waitingFor(
                    alone
                            ? "another member; none is reachable yet"
                            : "more members that may have kept its sessions; it found " + members.view());
            return false;
        }
        if (alone) {
            LOG.log(
                    Level.WARNING,
                    "{0} - no other member with the application is reachable: serving alone",
                    group.label());
        }
        group.restoration().run();
        try {
            // Sessions may have been made on those that wait for this one: they had nobody to send them to.
            group.phase(Phase.COUNTED);
            compareWithAll();
        } catch (NoAnswerException e) {
            LOG.log(Level.INFO, "{0} - still joining: {1}", group.label(), e.getMessage());
            return false;
        }
        group.phase(Phase.READY);
        return true;
    }

    /** Waits until everybody counts this member, then pulls what each has more. */
    private int compareWithAll() throws InterruptedException, NoAnswerException {
        Set<Address> compared = new HashSet<>();
        int pulled = 0;
        while (!isStopped()) {
            Census census = members.census(group.number());
            if (census.complete() && compared.containsAll(census.others())) {
                return pulled;
            }
            for (Address other : census.others()) {
                if (!compared.contains(other) && counts(other)) {
                    pulled += reconciler.pullAll(other);
                    compared.add(other);
                }
            }
            if (!compared.containsAll(census.others())) {
                group.waitingFor("every member to wait for acknowledgements of this node");
                pause();
                group.announceAgain(); // A member that was still connecting could not answer.
            }
        }
        throw new NoAnswerException("this node is stopping");
    }

    private boolean counts(Address member) {
        synchronized (members) {
            return counting.contains(member);
        }
    }

    private boolean isStopped() {
        synchronized (members) {
            return stopped;
        }
    }

    private void pause() throws InterruptedException {
        group.progressed(); // It waits for others, whatever that takes.
        synchronized (members) {
            if (!stopped) {
                members.wait(LOOK_AGAIN_MILLIS);
            }
        }
    }

    private void confirmUnlessRepairing() {
        synchronized (members) {
            if (!repair && !stopped) {
                group.confirm();
            }
        }
    }

    /** Members compare a quarter of the interval earlier or later, so that not all do at once. */
    private long nextComparison() {
        long jitter = ThreadLocalRandom.current().nextLong(intervalMillis / 2 + 1);
        return System.nanoTime() + (intervalMillis * 3 / 4 + jitter) * 1_000_000;
    }

    /** Waits for a while; whether all is to be compared. */
    private boolean awaitRepair() throws InterruptedException {
        long left = (compareAtNanos - System.nanoTime()) / 1_000_000;
        synchronized (members) {
            if (!repair && !stopped && left > 0) {
                members.wait(Math.min(left, ROUND_MILLIS));
            }
            return repair && !stopped;
        }
    }

    /** Finds what was missed without anybody having noticed. */
    private void compareAtInterval() {
        for (Address other : members.others(group.number(), Phase.COUNTED)) {
            try {
                int pulled = reconciler.pullSettled(other);
                if (pulled > 0) {
                    LOG.log(Level.INFO, "{0} - compared with {1}: {2} pulled", group.label(), other, pulled);
                }
            } catch (NoAnswerException e) {
                LOG.log(Level.DEBUG, "{0} - not compared: {1}", group.label(), e.getMessage());
            }
        }
    }

    /** Whoever asks for a repair meanwhile gets another one; so does this member if it fails. */
    private void repairAll() throws InterruptedException {
        synchronized (members) {
            repair = false;
        }
        boolean through = false;
        try {
            compareUntilComplete();
            confirmUnlessRepairing();
            through = true;
        } finally {
            if (!through) {
                repair();
            }
        }
    }

    private void compareUntilComplete() throws InterruptedException {
        Set<Address> compared = new HashSet<>();
        boolean complete = false;
        while (!complete && !isStopped()) {
            Census census = members.census(group.number());
            complete = census.complete() && (!census.others().isEmpty() || group.mayBeAlone());
            for (Address other : census.others()) {
                if (!compared.contains(other)) {
                    complete &= repairFrom(other, compared);
                }
            }
            if (!complete) {
                pause();
            }
        }
    }

    private boolean repairFrom(Address other, Set<Address> compared) {
        try {
            int pulled = reconciler.pullAll(other);
            compared.add(other);
            LOG.log(Level.INFO, "{0} - compared with {1} after a merge: {2} pulled", group.label(), other, pulled);
            return true;
        } catch (NoAnswerException e) {
            LOG.log(Level.DEBUG, "{0} - comparing again: {1}", group.label(), e.getMessage());
            return false;
        }
    }
}
