package io.understudy.session;

import io.understudy.expiry.Claim;
import io.understudy.replica.SessionKey;
import io.understudy.session.expiry.EndableSessions;
import io.understudy.store.StoredReplica;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The live sessions of one application as their end sees them. Threads: any. */
final class LiveEndings implements EndableSessions<LiveSession> {

    private final LiveSessions live;
    private final Function<StoredReplica, LiveSession> liveOf;

    /** @param liveOf adds a session to those that are live */
    LiveEndings(LiveSessions live, Function<StoredReplica, LiveSession> liveOf) {
        this.live = live;
        this.liveOf = liveOf;
    }

    @Override
    public LiveSession of(StoredReplica stored) {
        return liveOf.apply(stored);
    }

    @Override
    public void removeDropped() {
        live.removeDropped();
    }

    @Override
    public SessionKey key(LiveSession session) {
        return session.key();
    }

    @Override
    public boolean valid(LiveSession session) {
        return session.valid();
    }

    @Override
    public boolean inUse(LiveSession session) {
        return session.inUse();
    }

    @Override
    public boolean overdue(LiveSession session) {
        return session.overdue();
    }

    @Override
    public boolean overdueBy(LiveSession session, long slackMillis) {
        return session.times().overdueBy(slackMillis);
    }

    @Override
    public Claim claim(LiveSession session, Claim.Kind kind) {
        return session.end().claim(kind);
    }

    @Override
    public void inherit(LiveSession session, Claim claim) {
        session.end().inherit(claim);
    }

    @Override
    public void last(LiveSession session, @Nullable StoredReplica replica) {
        session.replicated().last(replica);
    }
}
