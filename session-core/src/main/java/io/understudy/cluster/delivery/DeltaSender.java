package io.understudy.cluster.delivery;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.WireVersions;
import io.understudy.config.session.Acks;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.ordering.ScopedBatch;
import io.understudy.replica.SessionKey;
import io.understudy.replica.TimeSource;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Ack;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.Frame.MissingAcks;
import io.understudy.wire.Frame.Part;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.FrameBuffer;
import io.understudy.wire.WireCodec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.Message;

/**
 * Gives frames of changes their place in the order, begins to wait for their acknowledgements, and hands them to the
 * channel, several in one message: what was {@linkplain #append taken in} goes with {@link #flush}.
 *
 * <p>Threads: the outbox's, which may wait for credits here; acknowledgements on any.
 */
public final class DeltaSender {

    /** The most acknowledgements that a node requests from a member by one frame, which stays below 10 KB. */
    private static final int MAX_ASKED = 1000;

    /**
     * A part that is not acknowledged by then counts as taken, as the change that it belongs to holds up all others of its
     * session. A member that lacks it pulls the session when the last part comes. Long enough for a slow member: what is
     * given up takes credits that others need.
     */
    private static final long PART_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final SCOPE scopes;
    private final Members members;
    private final WireVersions versions;
    private final AckTracker changes;
    private final ReplicationMetrics metrics;
    private final TimeSource time;
    private final Consumer<Message> transport;

    /** Parts are no changes: what is at risk, and how long it took, is told by the whole. */
    private final AckTracker parts = new AckTracker(new ReplicationMetrics(), Address::toString);

    private final AtomicLong transferNumbers = new AtomicLong();

    /** Changes on their way into one message. For the outbox's thread. */
    private final ScopedBatch batch;

    private final int batchBytes;

    /** @param batchBytes of several changes in one message, at most; what is larger goes alone */
    public DeltaSender(
            SCOPE scopes,
            Members members,
            WireVersions versions,
            AckTracker changes,
            ReplicationMetrics metrics,
            TimeSource time,
            int batchBytes,
            Consumer<Message> transport) {
        this.scopes = scopes;
        this.members = members;
        this.versions = versions;
        this.changes = changes;
        this.metrics = metrics;
        this.time = time;
        this.batchBytes = batchBytes;
        this.batch = new ScopedBatch(batchBytes);
        this.transport = transport;
    }

    long nowMillis() {
        return time.monotonicMillis();
    }

    /** Writes the frame of a change. */
    void write(FrameBuffer frame, Frame change) {
        frame.write(change, versions.written());
    }

    private byte[] encode(Frame frame) {
        return WireCodec.encode(frame, versions.written());
    }

    long transferNumber() {
        return transferNumbers.incrementAndGet();
    }

    /** Takes a whole change in, in its session's order; it is sent with {@link #flush} at the latest. */
    void append(WaitingChange change, FrameBuffer frame) {
        inOrder(change, frame.array(), frame.length(), frame.length());
    }

    /** Sends one part of a frame, outside every order; what was taken in is to be {@linkplain #flush sent} before. */
    CompletableFuture<AckResult> part(long application, long transfer, int index, byte[] frame, int from, int length) {
        Frame part = new Part(application, transfer, index, ByteBuffer.wrap(frame, from, length));
        byte[] encoded = encode(part);
        ScopeHeader header = scopes.unordered(-transfer);
        CompletableFuture<AckResult> held = parts.expect(header, length, counted(application), Acks.ALL);
        boolean sent = false;
        try {
            batch.add(header, encoded, encoded.length);
            flush();
            sent = true;
            return held;
        } finally {
            if (!sent) {
                boolean unused = parts.lost(header.number());
            }
        }
    }

    /** As {@link #append}, with the rest of a frame from {@code from} on. */
    void lastPart(WaitingChange change, SessionKey key, long transfer, int count, byte[] frame, int from) {
        ByteBuffer rest = ByteBuffer.wrap(frame, from, frame.length - from);
        Frame last = new LastPart(change.application(), key, transfer, count, rest);
        byte[] encoded = encode(last);
        inOrder(change, encoded, encoded.length, frame.length);
    }

    /** @param bytes of the whole change, which counts as at risk */
    private void inOrder(WaitingChange change, byte[] frame, int length, int bytes) {
        ScopeHeader header = scopes.next(change.session().scope());
        changes.expect(header, bytes, counted(change.application()), change);
        change.place(header.number());
        metrics.count(Counter.DELTAS_SENT);
        metrics.count(Counter.BYTES_SENT, bytes);
        batch.add(header, frame, length);
    }

    private List<Address> counted(long application) {
        return members.others(application, Phase.COUNTED);
    }

    /** Whether a frame of this length may go into the message that is being gathered; else {@link #flush} comes first. */
    boolean fits(int length) {
        return batch.isEmpty() || batch.bytes() + length <= batchBytes;
    }

    /**
     * Sends what was taken in.
     *
     * @throws RuntimeException as thrown by the transport; what was taken in is dropped, and the changes are {@link #lost}
     */
    void flush() {
        if (!batch.isEmpty()) {
            send(batch);
        }
    }

    private void send(ScopedBatch changes) {
        transport.accept(changes.take().setFlag(Message.Flag.OOB).setFlag(Message.TransientFlag.DONT_LOOPBACK));
    }

    /** Waits no more for who acknowledges a change that was not sent; whether it was waited for until now. */
    boolean lost(long number) {
        return changes.lost(number);
    }

    public void acknowledged(Address member, List<Ack> acks) {
        changes.acknowledged(member, acks);
        if (parts.expecting()) {
            parts.acknowledged(member, acks);
        }
    }

    /**
     * Asks for acknowledgements that may be lost, and gives up parts that nobody acknowledges. To be called often.
     *
     * @param ask sends a question to a member
     */
    public void askForMissing(BiConsumer<Address, Frame> ask, Failures failures) {
        giveUpParts(PART_LIMIT_NANOS);
        for (AckTracker each : List.of(changes, parts)) {
            each.missing(System.nanoTime(), MAX_ASKED)
                    .forEach((member, numbers) -> failures.run(
                            "asking for acknowledgements", () -> ask.accept(member, new MissingAcks(numbers))));
        }
    }

    /** Counts parts as taken that were sent so long ago. */
    void giveUpParts(long olderNanos) {
        if (parts.expecting()) {
            parts.forget(olderNanos);
        }
    }

    /** See {@link AckTracker#view(Object, Set, Set)}. */
    public void view(Object change, Set<Address> together, Set<Address> present) {
        changes.view(change, together, present);
        parts.view(change, together, present);
    }
}
