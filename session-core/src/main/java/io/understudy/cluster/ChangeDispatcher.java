package io.understudy.cluster;

import io.understudy.cluster.delivery.AckSender;
import io.understudy.cluster.delivery.FrameReassembly;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.TimeSource;
import io.understudy.store.Memory;
import io.understudy.wire.Frame.Ack;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.Frame.Part;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.Message;

/**
 * Puts together the changes that come from other members in parts, and hands each change to its application.
 *
 * <p>Threads: JGroups' and SCOPE's, which never wait here; {@link #sweep} any.
 */
final class ChangeDispatcher {

    /** Bytes of large changes that are not there wholly yet. */
    private static final long MAX_ASSEMBLY_BYTES = 64L << 20;

    /** How long, in milliseconds, a large change may take to arrive; afterwards it is pulled. */
    private static final long ASSEMBLY_MILLIS = 60_000;

    /** The most bytes of a change that the thread that reads from its sender merges itself. */
    private static final int MAX_PROMPT_BYTES = 64 << 10;

    private final ApplicationGroups groups;
    private final AckSender acks;
    private final ReplicationMetrics metrics;
    private final TimeSource time;
    private final Memory memory;
    private final FrameReassembly assemblies = new FrameReassembly(MAX_ASSEMBLY_BYTES);

    ChangeDispatcher(
            ApplicationGroups groups, AckSender acks, ReplicationMetrics metrics, TimeSource time, Memory memory) {
        this.groups = groups;
        this.acks = acks;
        this.metrics = metrics;
        this.time = time;
        this.memory = memory;
    }

    /**
     * Whether the change in a message is merged without waiting, neither for a disk nor for another member, and within
     * microseconds: then the thread that reads from its sender does that.
     */
    boolean promptly(Message message) {
        return message.getLength() <= MAX_PROMPT_BYTES
                && memory.withoutDisk()
                && WireCodec.writesOnly(message.getArray(), message.getOffset(), message.getLength());
    }

    /** @param bytes of its frame */
    void received(Address sender, ScopeHeader place, Change change, int bytes) {
        ApplicationGroup group = groups.held(change.application());
        if (group == null) {
            acks.enqueue(sender, new Ack(place.number(), true)); // The application has left this node.
            return;
        }
        metrics.count(Counter.DELTAS_RECEIVED);
        metrics.count(Counter.BYTES_RECEIVED, bytes);
        group.incoming().received(sender, place, change);
    }

    void received(Address sender, ScopeHeader place, Part part) {
        assemblies.add(sender, part, time.monotonicMillis());
        acks.enqueue(sender, new Ack(place.number(), false));
    }

    void received(Address sender, ScopeHeader place, LastPart last) throws WireFormatException {
        byte[] whole = assemblies.complete(sender, last);
        ApplicationGroup group = groups.held(last.application());
        if (whole != null && WireCodec.decode(whole, 0, whole.length) instanceof Change change) {
            received(sender, place, change, whole.length);
        } else if (group != null) {
            group.incoming().receivedInPart(sender, place, last.key());
        } else {
            acks.enqueue(sender, new Ack(place.number(), true));
        }
    }

    /** A change of another member did not get here, or could not be taken: it is not held, and its sender is not to wait. */
    void notTaken(Address sender, ScopeHeader place) {
        metrics.count(Counter.CHANGES_NOT_TAKEN);
        acks.enqueue(sender, new Ack(place.number(), true));
    }

    void view(Set<Address> members) {
        assemblies.view(members);
    }

    /** Frees large changes that never came to an end. */
    void sweep() {
        assemblies.sweep(time.monotonicMillis() - ASSEMBLY_MILLIS);
    }
}
