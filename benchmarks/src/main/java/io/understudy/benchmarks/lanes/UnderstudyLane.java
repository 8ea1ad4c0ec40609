package io.understudy.benchmarks.lanes;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.ClusterChannel;
import io.understudy.cluster.ClusterChannels;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Acks;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.network.stack.Stacks;
import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.replica.TimeSource;
import io.understudy.store.ReplicaStore;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Ours: the whole way of a change, from the merge into the sender's store to the merge into the receivers' stores. */
final class UnderstudyLane implements Lane {

    static final String ATTRIBUTE = "cart";

    private static final int IDLE_SECONDS = 3600;

    /** Updates that are not acknowledged by all, at most; as many as the flow control's credits let JGroups have. */
    private static final int MAX_UNDER_WAY = 4000;

    /**
     * So many fewer have to be under way before a thread that waits goes on, and it looks as rarely as leaves some
     * under way: senders that look often cost a tenth of all, which is no cost of what is measured. JGroups' own wait
     * to be woken.
     */
    private static final int LET_GO = 2000;

    private static final long PAUSE_NANOS = 1_000_000;

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final ClusterChannel channel;
    private final ApplicationGroup group;
    private final Probe probe;

    UnderstudyLane(UnderstudyConfig config, boolean timed) {
        channel = ClusterChannel.connect(config, TimeSource.SYSTEM, metrics);
        group = channel.join("/shop");
        probe = new Probe(Stacks::isUpdate, timed ? session -> Values.sentNanos(group.store(), session) : null);
        ClusterChannels.onTop(channel, probe);
    }

    @Override
    public void create(int count) {
        for (int session = 1; session <= count; session++) {
            SessionDelta created = created(channel.clock(), session, new byte[Values.BYTES]);
            group.prepare(created, 0, Acks.ALL);
        }
    }

    @Override
    public void send(int session, byte[] value) {
        // What waits for credits is joined by session, and would not be an update of its own: so it is not offered.
        if (channel.figures().changesAtRisk() > MAX_UNDER_WAY) {
            do {
                LockSupport.parkNanos(PAUSE_NANOS);
            } while (channel.figures().changesAtRisk() > MAX_UNDER_WAY - LET_GO);
        }
        group.prepare(changed(channel.clock(), session, value), 0, Acks.ALL);
    }

    static SessionDelta created(HybridClock clock, int session, byte[] value) {
        Stamp now = clock.next();
        return new SessionDelta(
                new SessionKey(session),
                true,
                new Stamped<>(now, "session-" + session),
                new Stamped<>(now, IDLE_SECONDS),
                now,
                Map.of(ATTRIBUTE, StampedBytes.of(now, value)),
                null);
    }

    static SessionDelta changed(HybridClock clock, int session, byte[] value) {
        Stamp now = clock.next();
        return new SessionDelta(
                new SessionKey(session), false, null, null, now, Map.of(ATTRIBUTE, StampedBytes.of(now, value)), null);
    }

    @Override
    public long sent() {
        return metrics.value(Counter.DELTAS_SENT);
    }

    @Override
    public boolean settled() {
        return channel.figures().changesAtRisk() == 0;
    }

    @Override
    public Probe probe() {
        return probe;
    }

    @Override
    public boolean joined(int members) {
        return group.ready() && ClusterChannels.others(channel, group) == members - 1;
    }

    ReplicaStore store() {
        return group.store();
    }

    @Override
    public String state() {
        return channel.view() + " ready=" + group.ready() + " sent=" + metrics.value(Counter.DELTAS_SENT) + " received="
                + metrics.value(Counter.DELTAS_RECEIVED) + " held="
                + channel.figures().changesHeld() + " released="
                + channel.figures().changesReleased() + " atRisk="
                + channel.figures().bytesAtRisk();
    }

    @Override
    public void close() {
        group.close();
        channel.close();
    }
}
