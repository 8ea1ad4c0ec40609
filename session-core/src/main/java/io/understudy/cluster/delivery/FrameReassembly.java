package io.understudy.cluster.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.Frame.Part;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of other members' large changes, until the last one is there. Bounded in bytes: above the bound those that
 * were begun first are freed, and pulled instead.
 *
 * <p>Threads: any; guarded by this.
 */
public final class FrameReassembly {

    /** What one piece costs beside its bytes; many empty pieces must not pass the bound. */
    private static final int OVERHEAD = 64;

    private record Transfer(Address sender, long number) {}

    private static final class Pieces {
        private final SortedMap<Integer, ByteBuffer> parts = new TreeMap<>();
        private long cost;
        private final long began;

        Pieces(long began) {
            this.began = began;
        }
    }

    private final long maxBytes;

    @GuardedBy("this")
    private final Map<Transfer, Pieces> transfers = new LinkedHashMap<>();

    @GuardedBy("this")
    private long cost;

    public FrameReassembly(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Keeps a piece. */
    public synchronized void add(Address sender, Part part, long nowMillis) {
        Transfer transfer = new Transfer(sender, part.transfer());
        Pieces pieces = transfers.computeIfAbsent(transfer, key -> new Pieces(nowMillis));
        if (pieces.parts.putIfAbsent(part.index(), part.bytes()) == null) {
            int bytes = part.bytes().remaining() + OVERHEAD;
            pieces.cost += bytes;
            cost += bytes;
        }
        Iterator<Pieces> oldest = transfers.values().iterator();
        while (cost > maxBytes && oldest.hasNext()) {
            cost -= oldest.next().cost;
            oldest.remove();
        }
    }

    /** The whole change, whose pieces are freed; {@code null} if one was not received, or freed. */
    public synchronized byte @Nullable [] complete(Address sender, LastPart last) {
        Pieces pieces = transfers.remove(new Transfer(sender, last.transfer()));
        if (pieces == null) {
            return last.parts() == 0 ? bytes(Map.of(), last) : null;
        }
        cost -= pieces.cost;
        boolean complete = pieces.parts.size() == last.parts() && pieces.parts.lastKey() < last.parts();
        return complete ? bytes(pieces.parts, last) : null;
    }

    private static byte[] bytes(Map<Integer, ByteBuffer> parts, LastPart last) {
        int length = last.bytes().remaining()
                + parts.values().stream().mapToInt(ByteBuffer::remaining).sum();
        ByteBuffer whole = ByteBuffer.allocate(length);
        parts.values().forEach(part -> whole.put(part.duplicate()));
        return whole.put(last.bytes().duplicate()).array();
    }

    /** Frees what members began that are gone. */
    public synchronized void view(Set<Address> members) {
        free(transfer -> !members.contains(transfer.getKey().sender()));
    }

    /** Frees what was begun before this time and never came to an end. */
    public synchronized void sweep(long begunBefore) {
        free(transfer -> transfer.getValue().began < begunBefore);
    }

    @GuardedBy("this")
    private void free(Predicate<Map.Entry<Transfer, Pieces>> condition) {
        Iterator<Map.Entry<Transfer, Pieces>> all = transfers.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Transfer, Pieces> transfer = all.next();
            if (condition.test(transfer)) {
                cost -= transfer.getValue().cost;
                all.remove();
            }
        }
    }

    /** Bytes held, each piece's overhead included. */
    synchronized long cost() {
        return cost;
    }
}
