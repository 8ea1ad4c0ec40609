package io.understudy.benchmarks.lanes;

import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.Stacks;
import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.TimeSource;
import io.understudy.store.ReplicaStore;
import io.understudy.store.Tombstones;
import io.understudy.wire.WireFormatException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;

/** JGroups as it is, with the same protocols and settings as ours: what is compared with. */
final class PlainLane implements Lane {

    /** How updates are sent, and what receivers do with them. */
    enum Kind {
        /** In the order of the sender; merged into a store. */
        FIFO(false, true),
        /** In the order of the sender, then queued by session (see {@link Stripes}); merged into a store. */
        STRIPED(false, true),
        /** In the order of the sender; counted. */
        REGULAR(false, false),
        /** As they arrive, in no order; counted. */
        OOB(true, false);

        private final boolean outOfBand;
        private final boolean merged;

        Kind(boolean outOfBand, boolean merged) {
            this.outOfBand = outOfBand;
            this.merged = merged;
        }
    }

    private final Kind kind;
    private final JChannel channel;
    private final Probe probe;
    private final HybridClock clock;
    private final ReplicaStore store = new ReplicaStore(
            TimeSource.SYSTEM, new Tombstones(Duration.ofHours(24).toMillis(), 1000));
    private final AtomicLong numbers = new AtomicLong();

    PlainLane(UnderstudyConfig config, Kind kind) throws Exception {
        this.kind = kind;
        this.clock =
                new HybridClock(System::currentTimeMillis, config.nodeName().hashCode());
        channel = kind == Kind.STRIPED ? Stacks.without(config, new Stripes()) : Stacks.without(config);
        probe = new Probe(message -> true, kind.merged ? session -> Values.sentNanos(store, session) : null);
        channel.getProtocolStack().insertProtocolAtTop(probe);
        if (kind.merged) {
            channel.setReceiver(new Merging());
        } else {
            channel.setReceiver(new Receiver() {});
        }
        channel.connect(config.clusterName());
        probe.setAddress(channel.getAddress());
    }

    private final class Merging implements Receiver {
        @Override
        public void receive(Message message) {
            try {
                store.merge(Stacks.decode(message), 0, 0);
            } catch (WireFormatException e) {
                throw new IllegalStateException("a frame that was encoded here can't be read", e);
            }
        }
    }

    @Override
    public void create(int count) {
        for (int session = 1; session <= count; session++) {
            if (kind.merged) {
                send(UnderstudyLane.created(clock, session, new byte[Values.BYTES]));
            } else {
                send(session, new byte[Values.BYTES]);
            }
        }
    }

    @Override
    public void send(int session, byte[] value) {
        if (kind.merged) {
            send(UnderstudyLane.changed(clock, session, value));
        } else {
            numbers.incrementAndGet();
            send(new BytesMessage(null, value));
        }
    }

    private void send(SessionDelta delta) {
        Message message = new BytesMessage(null, Stacks.encode(delta));
        send(Stacks.numbered(message, new Stacks.Place(delta.key().value(), numbers.incrementAndGet())));
    }

    private void send(Message message) {
        message.setFlag(Message.TransientFlag.DONT_LOOPBACK); // As ours.
        if (kind.outOfBand) {
            message.setFlag(Message.Flag.OOB);
        }
        try {
            channel.send(message);
        } catch (Exception e) {
            throw new IllegalStateException("could not send", e);
        }
    }

    @Override
    public long sent() {
        return numbers.get();
    }

    @Override
    public boolean settled() {
        return true; // Sending waits for credits.
    }

    @Override
    public Probe probe() {
        return probe;
    }

    @Override
    public boolean joined(int members) {
        View view = channel.getView();
        return view != null && view.size() == members;
    }

    @Override
    public String state() {
        @Nullable View view = channel.getView();
        return String.valueOf(view);
    }

    @Override
    public void close() {
        channel.close();
    }
}
