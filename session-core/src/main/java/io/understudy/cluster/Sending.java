package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Ack;
import io.understudy.codec.Frame.LastPart;
import io.understudy.codec.Frame.Part;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.WireCodec;
import io.understudy.config.Acks;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.SessionKey;
import io.understudy.replica.TimeSource;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Message;

/**
 * Gives frames of changes their place in the order, begins to wait for their acknowledgements, and hands them to the
 * channel.
 *
 * <p>Threads: the outbox's, which may wait for credits here; acknowledgements on any.
 */
final class Sending {

    private final SCOPE scopes;
    private final Members members;
    private final AckTracker changes;
    private final ReplicationMetrics metrics;
    private final TimeSource time;
    private final Consumer<Message> transport;

    /** Parts are no changes: what is at risk, and how long it took, is told by the whole. */
    private final AckTracker parts = new AckTracker(new ReplicationMetrics(), Address::toString);

    private final AtomicLong transferNumbers = new AtomicLong();

    Sending(
            SCOPE scopes,
            Members members,
            AckTracker changes,
            ReplicationMetrics metrics,
            TimeSource time,
            Consumer<Message> transport) {
        this.scopes = scopes;
        this.members = members;
        this.changes = changes;
        this.metrics = metrics;
        this.time = time;
        this.transport = transport;
    }

    long nowMillis() {
        return time.monotonicMillis();
    }

    long transferNumber() {
        return transferNumbers.incrementAndGet();
    }

    /** Sends a whole change in its session's order. */
    CompletableFuture<Held> change(WaitingChange change, SessionKey key, byte[] frame) {
        return inOrder(change, key, frame, frame.length);
    }

    /** Sends one part of a frame, outside every order. */
    CompletableFuture<Held> part(long application, long transfer, int index, byte[] frame, int from, int length) {
        Frame part = new Part(application, transfer, index, ByteBuffer.wrap(frame, from, length));
        ScopeHeader header = scopes.unordered(-transfer);
        CompletableFuture<Held> held = parts.expect(header, length, counted(application), Acks.ALL);
        send(WireCodec.encode(part), header);
        return held;
    }

    /** Sends the rest of a frame, from {@code from} on, in its session's order. */
    CompletableFuture<Held> lastPart(
            WaitingChange change, SessionKey key, long transfer, int count, byte[] frame, int from) {
        ByteBuffer rest = ByteBuffer.wrap(frame, from, frame.length - from);
        Frame last = new LastPart(change.application(), key, transfer, count, rest);
        return inOrder(change, key, WireCodec.encode(last), frame.length);
    }

    private CompletableFuture<Held> inOrder(WaitingChange change, SessionKey key, byte[] frame, int bytes) {
        ScopeHeader header = scopes.next(key.value());
        CompletableFuture<Held> held = changes.expect(
                header, bytes, counted(change.application()), change.acks(), change.changes(), change.bytes());
        metrics.count(Counter.DELTAS_SENT);
        metrics.count(Counter.BYTES_SENT, bytes);
        send(frame, header);
        return held;
    }

    private List<Address> counted(long application) {
        return members.others(application, Phase.COUNTED);
    }

    private void send(byte[] frame, ScopeHeader header) {
        transport.accept(new BytesMessage(null, frame)
                .setFlag(Message.Flag.OOB)
                .setFlag(Message.TransientFlag.DONT_LOOPBACK)
                .putHeader(SCOPE.ID, header));
    }

    void acknowledged(Address member, List<Ack> acks) {
        changes.acknowledged(member, acks);
        if (parts.expecting()) {
            parts.acknowledged(member, acks);
        }
    }

    void view(Set<Address> present) {
        changes.view(present);
        parts.view(present);
    }
}
