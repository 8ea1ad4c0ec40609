package io.understudy.replica;

import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How a replica takes over a delta: as {@link SessionDelta#join}, with as little work as the delta asks for. */
final class MergeRule {

    private MergeRule() {}

    /** See {@link SessionReplica#merge}. */
    static SessionReplica merge(SessionReplica replica, SessionDelta delta) {
        if (replica.ending() == null && delta.written() && replica.key().equals(delta.key())) {
            return mergeWritten(replica, delta);
        }
        boolean apart = replica.detached() && delta.attributes().isEmpty();
        SessionDelta state = apart ? replica.delta(AttributeTable.NONE) : replica.asDelta();
        SessionDelta joined = SessionDelta.join(state, delta);
        if (joined.equals(state)) {
            return replica;
        }
        boolean over = joined.ending() != null && joined.ending().invalidated();
        return apart && !over ? replica.apart(joined) : new SessionReplica(joined);
    }

    /** The same without the fields of which the delta says nothing. */
    @SuppressWarnings("ReferenceEquality") // What is not changed is the same object.
    private static SessionReplica mergeWritten(SessionReplica replica, SessionDelta delta) {
        Stamp used = delta.lastUse();
        boolean later = used != null && replica.usedBefore(used);
        Entry<String, StampedBytes> lone = delta.lone();
        int at = lone == null ? -1 : AttributeTable.place(replica.cells(), lone.getKey());
        if (lone != null && at >= 0) {
            return mergeOne(replica, at, lone, later ? used : null);
        }
        AttributeTable known = delta.attributes().isEmpty() ? AttributeTable.NONE : replica.table();
        AttributeTable joined = known.join(delta.attributes());
        if (joined == known) {
            return later ? replica.usedAt(used) : replica;
        }
        boolean floor = delta.attributes().containsKey(Removals.FLOOR);
        long digest = 0; // More went than the delta names.
        if (!floor || Objects.equals(Removals.floor(known), Removals.floor(joined))) {
            digest = replica.hashed();
            for (String name : delta.attributes().keySet()) {
                digest += added(name, known, joined);
            }
        }
        return new SessionReplica(
                replica,
                later ? used : replica.lastUse(),
                joined.cells(),
                joined.stamps(),
                joined.valueBytes(),
                joined.nameBytes(),
                digest);
    }

    /** What the attribute adds to the digest with its new value. */
    private static long added(String name, AttributeTable known, AttributeTable joined) {
        long hashOfName = FieldHashes.name(name);
        return joined.hash(name, hashOfName) - known.hash(name, hashOfName);
    }

    /**
     * Another value of one attribute that is there, and so is above the floor. Most merges are of this kind: no table is
     * made of the arrays.
     *
     * @param used if it is later than what is known
     */
    private static SessionReplica mergeOne(
            SessionReplica replica, int at, Entry<String, StampedBytes> written, @Nullable Stamp used) {
        @Nullable Object[] cells = replica.cells();
        long[] stamps = replica.stamps();
        if (!AttributeTable.later(cells, stamps, at, written.getValue())) {
            return used == null ? replica : replica.usedAt(used);
        }
        @Nullable Object[] newCells = cells.clone();
        long[] newStamps = stamps.clone();
        AttributeTable.set(newCells, newStamps, at, written.getValue());
        long hashOfName = FieldHashes.name(written.getKey());
        long added = AttributeTable.hash(newCells, newStamps, at, hashOfName)
                - AttributeTable.hash(cells, stamps, at, hashOfName);
        long bytes = AttributeTable.valueBytes(replica.valueBytes(), cells, newCells, at);
        return new SessionReplica(
                replica,
                used == null ? replica.lastUse() : used,
                newCells,
                newStamps,
                (int) Math.min(Integer.MAX_VALUE, bytes),
                (int) (replica.attributeBytes() - replica.valueBytes()),
                replica.hashed() + added);
    }
}
