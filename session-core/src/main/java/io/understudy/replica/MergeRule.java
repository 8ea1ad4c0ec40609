package io.understudy.replica;

import java.util.Map.Entry;
import java.util.Objects;

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
        AttributeTable known = delta.attributes().isEmpty() ? AttributeTable.NONE : replica.table();
        AttributeTable joined = known.join(delta.attributes());
        if (joined == known) {
            return later ? replica.usedAt(used) : replica;
        }
        boolean floor = delta.attributes().containsKey(Removals.FLOOR);
        if (floor && !Objects.equals(Removals.floor(known), Removals.floor(joined))) {
            return new SessionReplica(
                    replica, later ? used : replica.lastUse(), joined, 0); // More went than the delta names.
        }
        long digest = replica.hashed();
        Entry<String, StampedBytes> lone = delta.lone();
        if (lone != null) {
            digest += added(lone.getKey(), known, joined);
        } else {
            for (String name : delta.attributes().keySet()) {
                digest += added(name, known, joined);
            }
        }
        return new SessionReplica(replica, later ? used : replica.lastUse(), joined, digest);
    }

    /** What the attribute adds to the digest with its new value. */
    private static long added(String name, AttributeTable known, AttributeTable joined) {
        long hashOfName = FieldHashes.name(name);
        return joined.hash(name, hashOfName) - known.hash(name, hashOfName);
    }
}
