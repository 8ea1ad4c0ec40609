package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Change;
import io.understudy.codec.Frame.Update;
import io.understudy.config.Acks;
import io.understudy.replica.SessionDelta;
import java.util.concurrent.CompletableFuture;

/**
 * What requests of one session want sent, joined into one.
 *
 * <p>Threads: guarded by whoever holds it; the futures are for all.
 */
final class WaitingChange {

    private final long application;
    private final long beganMillis;
    private final Acks acks;
    private final CompletableFuture<Held> held = new CompletableFuture<>();
    private final CompletableFuture<Void> numbered = new CompletableFuture<>();
    private final AtRisk atRisk;
    private final AtRisk.Session session;
    private SessionDelta delta;
    private long usedMillis;
    private int changes = 1;
    private int bytes;

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
    CompletableFuture<Held> held() {
        return held;
    }

    /** Completes once the change is in the hands of the {@link AckTracker}, or never will be. */
    CompletableFuture<Void> numbered() {
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

    void join(SessionDelta newer, long nowMillis) {
        delta = delta.followedBy(newer);
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

    /** It is in the hands of the {@link AckTracker}, which completes {@link #held}. */
    void tracked() {
        numbered.complete(null);
    }

    /** It will not be sent. */
    void abandon() {
        numbered.complete(null);
        held.complete(Held.NONE);
    }
}
