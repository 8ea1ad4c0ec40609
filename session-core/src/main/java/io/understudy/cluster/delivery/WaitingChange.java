package io.understudy.cluster.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.config.session.Acks;
import io.understudy.replica.SessionDelta;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Update;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What requests of one session want sent, joined into one.
 *
 * <p>Threads: guarded by whoever holds it; the futures are for all.
 */
final class WaitingChange {

    private final long application;
    private final long beganMillis;
    private final CompletableFuture<AckResult> held = new CompletableFuture<>();
    private final AtRisk atRisk;
    private AtRisk.Session session;
    private SessionDelta delta;
    private Acks acks;
    private long usedMillis;
    private int changes = 1;
    private int bytes;

    /** Its place in the order; 0 if it has none yet. */
    private long number;

    /** {@code null} while nobody has asked: mostly nobody does. */
    @GuardedBy("this")
    private @Nullable CompletableFuture<Void> numbered;

    @GuardedBy("this")
    private boolean tracked;

    /** When it could not be sent for the first time, by {@link System#nanoTime}. */
    private @Nullable Long failedNanos;

    /** What could not be sent, and goes with this one. */
    private @Nullable WaitingChange earlier;

    /**
     * A change that is at risk from now on.
     *
     * @param beganMillis when the session began, by the clock that {@code usedMillis} is of
     * @param acks how many members' acknowledgements are asked for
     */
    WaitingChange(long application, SessionDelta delta, long beganMillis, long usedMillis, Acks acks, AtRisk atRisk) {
        this.application = application;
        this.delta = delta;
        this.beganMillis = beganMillis;
        this.usedMillis = usedMillis;
        this.acks = acks;
        this.bytes = DeltaSize.bytes(delta);
        this.atRisk = atRisk;
        this.session = atRisk.add(delta.key().value(), bytes);
    }

    long application() {
        return application;
    }

    Acks acks() {
        return acks;
    }

    /** Completes as {@link AckTracker#expect} does. */
    CompletableFuture<AckResult> held() {
        return held;
    }

    /** Completes once the change is in the hands of the {@link AckTracker}, or never will be. */
    synchronized CompletableFuture<Void> numbered() {
        if (numbered == null) {
            numbered = tracked ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        }
        return numbered;
    }

    private synchronized @Nullable CompletableFuture<Void> beTracked() {
        tracked = true;
        return numbered;
    }

    /** Where {@link #changes} and {@link #bytes} are counted. */
    AtRisk.Session session() {
        return session;
    }

    /** How many changes were joined. */
    int changes() {
        return changes;
    }

    /** Roughly how many bytes they take. */
    int bytes() {
        return bytes;
    }

    /** @param newerAcks what the newer one asks for: both ask for the more of it, so that none gets less */
    void join(SessionDelta newer, long nowMillis, Acks newerAcks) {
        delta = delta.followedBy(newer);
        acks = newerAcks.compareTo(acks) < 0 ? newerAcks : acks;
        usedMillis = nowMillis;
        changes++;
        int before = bytes;
        bytes = DeltaSize.bytes(delta);
        atRisk.adjust(session, 1, bytes - before);
    }

    Frame frame(long nowMillis) {
        Update update = new Update(Math.max(0, nowMillis - beganMillis), Math.max(0, nowMillis - usedMillis), delta);
        return new Change(application, update);
    }

    /** It has a place in the order, by which its acknowledgements are waited for. */
    void place(long placed) {
        number = placed;
    }

    /** It is in the hands of the {@link AckTracker}, which completes {@link #held}. */
    void tracked() {
        for (WaitingChange each = this; each != null; each = each.earlier) {
            CompletableFuture<Void> awaited = each.beTracked();
            if (awaited != null) {
                awaited.complete(null);
            }
        }
    }

    /**
     * It was not sent: it has no place any more, and is at risk as before.
     *
     * @param lost takes back what is waited for by a number, and says whether it was
     * @return {@code false} if it is complete: all members that were to acknowledge it are gone, or there is no memory
     *     for all this
     */
    boolean takeBack(LongPredicate lost) {
        long place = number;
        number = 0;
        if (place == 0) {
            return true;
        }
        if (!atRiskOnceMore()) {
            boolean unused = lost.test(place); // Then it is left to the comparison, at once.
            return false;
        }
        boolean waited = lost.test(place);
        if (!waited) {
            atRisk.adjust(session, -changes, -bytes);
        }
        return waited;
    }

    /** At risk twice for a moment, never not at all: who waits for it is answered in between. */
    private boolean atRiskOnceMore() {
        try {
            session = atRisk.add(delta.key().value(), bytes);
            atRisk.adjust(session, changes - 1, 0);
            return true;
        } catch (Throwable e) {
            return false;
        }
    }

    /** Whether it could not be sent, and nobody waits for it any more. */
    boolean failed() {
        return held.isDone();
    }

    /** Since when it can't be sent. */
    long failedNanos() {
        long now = System.nanoTime();
        Long since = failedNanos;
        failedNanos = since == null ? Long.valueOf(now) : since;
        return since == null ? 0 : now - since;
    }

    /** An earlier change of the session, which could not be sent, goes with this one. */
    void after(WaitingChange failed) {
        SessionDelta both = failed.delta.followedBy(delta);
        int bytesOfBoth = DeltaSize.bytes(both);
        delta = both;
        atRisk.adjust(session, 0, bytesOfBoth - bytes - failed.bytes);
        bytes = bytesOfBoth;
        changes += failed.changes;
        failedNanos = failed.failedNanos;
        earlier = failed;
    }

    /** Nobody holds it so far, and who waits for it is to go on. */
    void notHeld() {
        held.complete(AckResult.NONE);
    }

    /** It will not be sent, and is at risk no longer. */
    void giveUp() {
        atRisk.adjust(session, -changes, -bytes);
        abandon();
    }

    /** It will not be sent. */
    void abandon() {
        tracked();
        notHeld();
    }
}
