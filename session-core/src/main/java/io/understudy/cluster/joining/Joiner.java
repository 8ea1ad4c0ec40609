package io.understudy.cluster.joining;

import io.understudy.cluster.convergence.Reconciler;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.Members.Census;
import io.understudy.cluster.membership.WireVersions;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.cluster.restart.SessionRestore;
import io.understudy.config.UnderstudyConfig;
import io.understudy.threads.Failures;
import io.understudy.threads.Loop;
import io.understudy.wire.Frame.Phase;
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
 * <p>Joining begins with a pull from a ready member. Then this member announces that it wants to be counted. Every
 * member waits for its acknowledgements from then on, and confirms that. Then this member compares with every member
 * once more, as it may have missed what they sent before they began to count it. Only then it is ready. Where nobody is
 * ready, the first member of the view is complete by definition.
 *
 * <p>What fails half way is begun again: the application is not ready, or held back, until it is through.
 *
 * <p>Threads: one of its own makes the rounds.
 */
public final class Joiner implements Loop.Rounds {

    private static final Logger LOG = System.getLogger(Joiner.class.getName());

    /**
     * The longest wait, in milliseconds, before the state of affairs is looked at again without having been notified.
     */
    private static final long LOOK_AGAIN_MILLIS = 250;

    /** The longest wait, in milliseconds, of one that has nothing to do: it is to be seen that it lives. */
    private static final long ROUND_MILLIS = 1000;

    private final LocalApplication application;
    private final Level news;
    private final Members members;
    private final WireVersions versions;
    private final Reconciler reconciler;
    private final SessionRestore restoration;
    private final Failures failures;
    private final long aloneAtNanos;
    private final int configuredMembers;
    private final long intervalMillis;
    private final Set<Address> counting = new HashSet<>();

    /** Those with which this member has compared all. */
    private final Set<Address> compared = new HashSet<>();

    private boolean repair;
    private boolean stopped;

    /** For its thread. */
    private boolean joined;

    /** Whether the others are still to be asked to take over what was restored. For its thread. */
    private boolean restored;

    /** When it compares next at the interval, by {@link System#nanoTime}. For its thread. */
    private long compareAtNanos;

    /** @param news the level at which it logs that it has joined */
    public Joiner(
            LocalApplication application,
            Members members,
            WireVersions versions,
            Reconciler reconciler,
            SessionRestore restoration,
            Failures failures,
            UnderstudyConfig config,
            Level news) {
        this.news = news;
        this.application = application;
        this.members = members;
        this.versions = versions;
        this.reconciler = reconciler;
        this.restoration = restoration;
        this.failures = failures;
        this.aloneAtNanos = System.nanoTime() + config.startAloneAfter().toNanos();
        this.configuredMembers =
                config.hosts().isEmpty() ? Integer.MAX_VALUE : config.hosts().size();
        this.intervalMillis = config.reconcileInterval().toMillis();
    }

    /**
     * A member waits for this one's acknowledgements from now on. If this member is ready already, and the two were never
     * compared, it did not know of the other. Two members that begin the application at once can each be the first.
     */
    public void counting(Address member) {
        synchronized (members) {
            counting.add(member);
            if (application.ready() && !compared.contains(member)) {
                repair = true;
            }
            members.notifyAll();
        }
    }

    /** Those that count this member, and with which it has not compared itself. */
    private List<Address> unmet() {
        synchronized (members) {
            counting.retainAll(members.view());
            compared.retainAll(members.view());
            return counting.stream()
                    .filter(member -> !compared.contains(member))
                    .toList();
        }
    }

    private void comparedWith(Address member) {
        synchronized (members) {
            compared.add(member);
        }
    }

    /** The view was merged of several: compare with everybody. */
    public void repair() {
        synchronized (members) {
            repair = true;
            members.notifyAll();
        }
    }

    public void stop() {
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
                if (!unmet().isEmpty()) {
                    repair();
                }
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
        if (!members.allAnnounced()) {
            application.waitingFor("the announcements of the members " + members.silent());
            return false;
        }
        List<Address> ready = members.others(application.number(), Phase.READY);
        if (ready.isEmpty()) {
            String outsider = versions.incompatibleHolder(application.name());
            if (outsider != null) {
                application.waitingFor(outsider);
                return false;
            }
            return completeByDefinition();
        }
        try {
            application.waitingFor("sessions pulled from " + ready.get(0));
            int pulled = reconciler.pullAllBesideRequests(ready.get(0));
            application.phase(Phase.COUNTED);
            pulled += compareWithAll(true);
            LOG.log(news, "{0} - joined, {1} sessions pulled", application.label(), pulled);
            restoration.run(); // Not before: what the others know of these sessions counts more.
            if (restoration.pending()) {
                return false; // This node stops.
            }
            application.phase(Phase.READY);
            restored = true;
            announceRestored();
            return true;
        } catch (NoAnswerException e) {
            LOG.log(Level.INFO, "{0} - still joining: {1}", application.label(), e.getMessage());
            return false;
        }
    }

    /** Until it is sent, with each round. */
    private void announceRestored() {
        try {
            restoration.announce();
            restored = false;
        } catch (RuntimeException | Error e) {
            failures.report("announcing restored sessions; the node retries", e);
        }
    }

    private boolean completeByDefinition() throws InterruptedException {
        Address first = members.first(application.number(), restoration.pending());
        if (!members.isSelf(first)) {
            application.waitingFor(first + " to get ready; no member is ready yet");
            return false;
        }
        // Then nobody here has sessions of an earlier run; who has may not be here yet, or not have said so.
        boolean incomplete =
                restoration.elsewhere() && !members.allHave(application.number(), Math.max(2, configuredMembers));
        boolean alone = members.view().size() == 1;
        if ((alone || incomplete) && System.nanoTime() - aloneAtNanos < 0) {
            application.waitingFor(
                    alone
                            ? "another member; none is reachable yet"
                            : "more members that may have kept its sessions; it found " + members.view());
            return false;
        }
        if (alone) {
            LOG.log(
                    Level.WARNING,
                    "{0} - no other member with the application is reachable: serving alone",
                    application.label());
        }
        restoration.run();
        if (restoration.pending()) {
            return false; // This node stops.
        }
        try {
            // Sessions may have been made on those that wait for this one: they had nobody to send them to.
            application.phase(Phase.COUNTED);
            compareWithAll(false); // Requests wait: no member is ready.
        } catch (NoAnswerException e) {
            LOG.log(Level.INFO, "{0} - still joining: {1}", application.label(), e.getMessage());
            return false;
        }
        application.phase(Phase.READY);
        return true;
    }

    /**
     * Waits until everybody counts this member, then pulls what each has more.
     *
     * @param besideRequests whether other members answer requests meanwhile
     */
    private int compareWithAll(boolean besideRequests) throws InterruptedException, NoAnswerException {
        Set<Address> done = new HashSet<>();
        int pulled = 0;
        while (!isStopped()) {
            Census census = members.census(application.number());
            if (census.complete() && done.containsAll(census.others())) {
                return pulled;
            }
            for (Address other : census.others()) {
                if (!done.contains(other) && counts(other)) {
                    pulled += besideRequests ? reconciler.pullAllBesideRequests(other) : reconciler.pullAll(other);
                    done.add(other);
                    comparedWith(other);
                }
            }
            if (!done.containsAll(census.others())) {
                application.waitingFor("every member to wait for acknowledgements of this node");
                pause();
                application.announceAgain(); // A member that was still connecting could not answer.
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
        application.progressed(); // It waits for others, whatever that takes.
        synchronized (members) {
            if (!stopped) {
                members.wait(LOOK_AGAIN_MILLIS);
            }
        }
    }

    private void confirmUnlessRepairing() {
        synchronized (members) {
            if (!repair && !stopped) {
                application.confirm();
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
        for (Address other : members.others(application.number(), Phase.COUNTED)) {
            try {
                int pulled = reconciler.pullSettled(other);
                if (pulled > 0) {
                    LOG.log(Level.INFO, "{0} - compared with {1}: {2} pulled", application.label(), other, pulled);
                }
            } catch (NoAnswerException e) {
                LOG.log(Level.DEBUG, "{0} - not compared: {1}", application.label(), e.getMessage());
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
        Set<Address> done = new HashSet<>();
        boolean complete = false;
        while (!complete && !isStopped()) {
            Census census = members.census(application.number());
            complete = census.complete() && (!census.others().isEmpty() || application.mayBeAlone());
            for (Address other : census.others()) {
                if (!done.contains(other)) {
                    complete &= repairFrom(other, done);
                }
            }
            for (Address other : unmet()) {
                if (!repairFrom(other, done)) {
                    complete &= forgotten(other); // It does not have the application any more, or announces it again.
                }
            }
            if (!complete) {
                pause();
            }
        }
    }

    private boolean forgotten(Address member) {
        synchronized (members) {
            return counting.remove(member);
        }
    }

    /** A member of another side is not compared with before it knows this one: until then it acknowledges changes without this one. */
    private boolean repairFrom(Address other, Set<Address> done) {
        if (!members.knownTo(other)) {
            return false;
        }
        try {
            int pulled = reconciler.pullAll(other);
            done.add(other);
            comparedWith(other);
            LOG.log(Level.INFO, "{0} - compared with {1}: {2} pulled", application.label(), other, pulled);
            return true;
        } catch (NoAnswerException e) {
            LOG.log(Level.DEBUG, "{0} - comparing again: {1}", application.label(), e.getMessage());
            return false;
        }
    }
}
