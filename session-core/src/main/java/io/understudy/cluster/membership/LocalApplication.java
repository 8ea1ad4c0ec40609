package io.understudy.cluster.membership;

import io.understudy.replica.TimeSource;
import io.understudy.store.ReplicaStore;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/**
 * One application on this member: its name and its sessions, how far this member has got to serve it, and whether this
 * member vouches for what it holds.
 *
 * <p>Threads: any; only {@link #awaitConfirmed} waits.
 */
public final class LocalApplication {

    private final String name;
    private final long number;
    private final String label;
    private final ReplicaStore store;
    private final TimeSource time;
    private final Runnable announce;
    private final Runnable checkPulse;
    private final SuspensionLatch confirmation = new SuspensionLatch();
    private volatile Phase phase = Phase.JOINING;
    private volatile String waitingFor = "the other members";
    private volatile long readySince = Long.MAX_VALUE;
    private volatile boolean deployed = true;
    private volatile boolean keeps;

    /** Answers that came, and sessions that were taken. */
    private final LongAdder progress = new LongAdder();

    /**
     * @param node its name in logs
     * @param announce announces to the other members what this one holds, without waiting
     * @param checkPulse notices a pause of this process, and suspends its applications
     */
    public LocalApplication(
            String name, String node, ReplicaStore store, TimeSource time, Runnable announce, Runnable checkPulse) {
        this.name = name;
        this.number = ApplicationNumber.of(name);
        this.label = name + "@" + node;
        this.store = store;
        this.time = time;
        this.announce = announce;
        this.checkPulse = checkPulse;
    }

    public String name() {
        return name;
    }

    /** By which the members name the application to each other. */
    public long number() {
        return number;
    }

    /** How log lines about this application on this node begin. */
    public String label() {
        return label;
    }

    public ReplicaStore store() {
        return store;
    }

    /** Milliseconds of the clock by which the store counts. */
    public long now() {
        return time.monotonicMillis();
    }

    /** Whether this member leaves all that others announce of sessions to the comparison at the end of joining. */
    public boolean joining() {
        return phase == Phase.JOINING;
    }

    /** Whether this member holds all sessions of the application. */
    public boolean ready() {
        return phase == Phase.READY;
    }

    /** Whether the others take this member for one that serves requests of the application. */
    public boolean serves() {
        return ready() && deployed;
    }

    /**
     * Whether sessions may be lost with this member: it has held all, also if it doesn't vouch for them now, or has brought
     * those of an earlier run back.
     */
    public boolean keeps() {
        return keeps;
    }

    /** Sessions of an earlier run are here, and nowhere else. */
    public void restored() {
        keeps = true;
    }

    /** When this member came to hold all sessions first, by {@link #now}; {@link Long#MAX_VALUE} if it never did. */
    public long readySince() {
        return readySince;
    }

    /** Takes note of the phase that was reached, and announces it. */
    public void phase(Phase reached) {
        phase = reached;
        keeps |= reached == Phase.READY;
        if (reached == Phase.READY && readySince == Long.MAX_VALUE) {
            readySince = now();
        }
        announce.run();
    }

    /** Announces to the other members whether the application runs here, or only its sessions are kept here. */
    public void deployed(boolean now) {
        if (deployed != now) {
            deployed = now;
            announce.run();
        }
    }

    /** Announces it again: a member may have missed the last announcement, or its confirmation was lost. */
    public void announceAgain() {
        announce.run();
    }

    /**
     * What this member announces to the others.
     *
     * @param restoring whether this member has sessions of an earlier run to bring back
     */
    public Membership membership(boolean restoring) {
        return new Membership(name, phase, deployed, restoring);
    }

    /** A number that rises as long as sessions of others, or of an earlier run, come in. */
    public long progress() {
        return progress.sum();
    }

    /** A session came in, or other members answered. */
    public void progressed() {
        progress.increment();
    }

    /** What joining waits for. */
    public String waitingFor() {
        return waitingFor;
    }

    public void waitingFor(String what) {
        waitingFor = what;
    }

    /**
     * Stops vouching for what is held here until it is {@linkplain #confirm confirmed}.
     *
     * @param reason to follow "it" in a sentence
     * @param others whether there were other members with the application
     */
    public void suspend(String reason, boolean others) {
        waitingFor = "confirmation by the other members, because it " + reason;
        confirmation.begin(others);
        if (phase == Phase.READY) {
            phase(Phase.COUNTED);
        }
    }

    /** Whether comparing with nobody, as nobody is there, may end a suspension. */
    public boolean mayBeAlone() {
        return confirmation.mayBeAlone();
    }

    /** Ends a suspension. */
    public void confirm() {
        if (phase == Phase.COUNTED) {
            phase(Phase.READY);
        }
        confirmation.end();
    }

    /**
     * Holds a request while this member is suspended, 5 seconds at most.
     *
     * @param mayWait asked if the request has to wait
     * @return whether the member may answer it
     */
    public boolean awaitConfirmed(BooleanSupplier mayWait) {
        checkPulse.run();
        return !confirmation.awaited() || (mayWait.getAsBoolean() && confirmation.await());
    }

    /** Whether the others may have gone on without this member. */
    public boolean suspended() {
        checkPulse.run();
        return confirmation.awaited();
    }
}
