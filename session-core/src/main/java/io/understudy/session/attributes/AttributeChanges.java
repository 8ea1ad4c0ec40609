package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec;
import io.understudy.codec.AttributeCodec.Weighed;
import io.understudy.codec.NotDecodableException;
import io.understudy.codec.NotReplicableException;
import io.understudy.codec.WireText;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one commit: attributes set or removed, and attributes read that were changed in place.
 *
 * <p>All or nothing: until {@link #committed}, each slot is as it was before, so what a commit that failed did not send
 * is found by the next one. An attribute that can't be encoded is known to its slot only: it stays on this node, and
 * later commits try again. If the next one may succeed, the value is {@linkplain #putOff put off}.
 *
 * <p>Threads: the request's; one at a time per session.
 */
public final class AttributeChanges implements AutoCloseable {

    /** The names of removed attributes take at most one in so many of a session's bytes, before the oldest are given up. */
    static final int SHARE_OF_REMOVALS = 4;

    /** In the place of a ticket: the response of the commit's request has not left. A ticket of 0 is one of a use that has ended. */
    public static final long UNANSWERED = -1;

    private final AttributeServices services;
    private final AttributeCodec codec;
    private final SessionReplica replica;
    private final AttributeSlots slots;
    private final AttributeEvents events;
    private final long answered;

    /** Few: looked through faster than hashed. */
    private List<Found> found = List.of();

    private long lastRemoval;

    /** What keeps the removals few that are remembered; written with the first change. */
    private Map<String, StampedBytes> folded = Map.of();

    /** All that is to be sent. */
    private Map<String, StampedBytes> changes = Map.of();

    /** With the changes found so far, and without the values that this commit removes; {@code null} if there is nothing to look at yet. */
    private @Nullable SessionRoom room;

    /** Whether attributes were told that they are encoded, and may have set others. */
    private boolean told;

    /** What becomes of values that can't be encoded, once their slots know that. */
    private List<Runnable> staying = List.of();

    /**
     * What becomes of a slot when all is merged.
     *
     * @param change what is sent of it; {@code null} if nothing is
     * @param encoded whether its value is the one of the baseline; else it could not be encoded
     * @param putOff whether it is in use, and could not be encoded for a reason that may be gone at the next try
     * @param baseline what the replica holds of it then; of a value that was not encoded {@code null} if it holds what it held
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    private record Found(
            String name,
            AttributeSlot slot,
            Look seen,
            @Nullable StampedBytes change,
            boolean encoded,
            boolean putOff,
            @Nullable StampedBytes baseline,
            @Nullable Weighed encoding) {

        void committed() {
            if (encoded) {
                slot.committed(seen, baseline, encoding);
            } else {
                slot.kept(seen, baseline);
            }
        }
    }

    /** What encoding a value gave. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    private record Encoding(byte @Nullable [] bytes, int heapBytes, boolean passing) {

        /** It can't be encoded. */
        static final Encoding NEVER = new Encoding(null, 0, false);

        /** It could not be encoded now; the next try may succeed. */
        static final Encoding NOT_NOW = new Encoding(null, 0, true);

        static Encoding of(Weighed value) {
            return new Encoding(value.bytes(), value.heapBytes(), false);
        }
    }

    private AttributeChanges(
            AttributeServices services,
            AttributeEvents events,
            SessionReplica replica,
            AttributeSlots slots,
            long answered) {
        this.services = services;
        this.slots = slots;
        this.events = events;
        this.codec = services.codec();
        this.replica = replica;
        this.answered = answered;
    }

    /** Most commits of requests that only read end without. */
    private SessionRoom begin() {
        SessionRoom begun = room;
        if (begun == null) {
            int limit = services.maxSessionBytes();
            folded = replica.folded(limit / SHARE_OF_REMOVALS);
            lastRemoval = replica.lastRemovalTime();
            found = new ArrayList<>(2);
            begun = new SessionRoom(replica, folded, limit);
            room = begun;
        }
        return begun;
    }

    /**
     * The changes since the last commit, each stamped above what it overwrites. To be closed, committed or not.
     *
     * @param answered see {@link AttributeSlot#passivate}
     */
    public static AttributeChanges find(
            AttributeServices services,
            AttributeEvents events,
            SessionReplica replica,
            AttributeSlots slots,
            long answered) {
        AttributeChanges changes = new AttributeChanges(services, events, replica, slots, answered);
        boolean complete = false;
        try {
            slots.forEach(changes::lookForRoom);
            slots.forEach(changes::lookIfDue);
            if (changes.told) {
                slots.forEach(changes::lookIfWritten);
            }
            changes.changes = changes.toSend();
            complete = true;
            return changes;
        } finally {
            if (!complete) {
                changes.close();
            }
        }
    }

    /** With changes goes what keeps the removals that are remembered few. */
    private Map<String, StampedBytes> toSend() {
        Found last = null;
        int count = 0;
        for (Found each : found) {
            if (each.change() != null) {
                last = each;
                count++;
            }
        }
        if (last == null || last.change() == null) {
            return Map.of();
        } else if (count == 1 && folded.isEmpty()) {
            return Map.of(last.name(), last.change()); // Of most requests.
        }
        Map<String, StampedBytes> all = new HashMap<>(folded);
        for (Found each : found) {
            if (each.change() != null) {
                all.put(each.name(), each.change());
            }
        }
        return Map.copyOf(all);
    }

    /** What this commit has to send. */
    public Map<String, StampedBytes> changes() {
        return changes;
    }

    /**
     * Whether a value that requests use now is on no other node for a reason that may be gone at the next commit. To be
     * asked before {@link #committed}.
     */
    public boolean putOff() {
        for (Found each : found) {
            if (each.putOff()) {
                return true;
            }
        }
        return false;
    }

    /** All of it is merged here. */
    public void committed() {
        for (Found each : found) {
            each.committed();
        }
        staying.forEach(Runnable::run);
        if (!changes.isEmpty() && !folded.isEmpty()) {
            folded.forEach(this::lifted);
        }
        found = List.of();
    }

    /** A value that did not change has another stamp. */
    @SuppressWarnings("ReferenceEquality") // What was changed is sent as another object.
    private void lifted(String name, StampedBytes value) {
        AttributeSlot slot = slots.get(name);
        StampedBytes before = replica.attribute(name);
        if (slot != null && before != null && changes.get(name) == value) {
            slot.lifted(before.stamp(), value);
        }
    }

    /** What was not committed is as it was before. */
    @Override
    public void close() {
        for (Found left : found) {
            left.slot().givenUp();
        }
        found = List.of();
    }

    private @Nullable Found foundOf(String name) {
        for (Found each : found) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return null;
    }

    /** In the place of what was found before of that attribute, if anything was. */
    private void add(Found now) {
        Found before = foundOf(now.name());
        if (before == null) {
            found.add(now);
        } else {
            found.set(found.indexOf(before), now);
        }
    }

    private void lookForRoom(String name, AttributeSlot slot) {
        if (slot.removed()) {
            begin().remove(name);
        }
    }

    private void lookIfDue(String name, AttributeSlot slot) {
        Look due = slot.due();
        if (due != null) {
            look(name, slot, due);
        }
    }

    @SuppressWarnings("ReferenceEquality") // Another object is another write, even if equal.
    private void lookIfWritten(String name, AttributeSlot slot) {
        Look seen = slot.look();
        Found before = foundOf(name);
        if (seen.use() == Use.WRITTEN && (before == null || before.seen().value() != seen.value())) {
            look(name, slot, seen);
        }
    }

    private void look(String name, AttributeSlot slot, Look seen) {
        begin();
        Use use = seen.use();
        Object value = seen.value();
        // Before encoding: what another thread changes meanwhile is then found by a later commit with a later stamp.
        StampedBytes current = replica.attribute(name);
        Stamp stamp = services.clock()
                .next(Math.max(
                        lastRemoval, current == null ? 0 : current.stamp().time()));
        if (value == null) {
            boolean there = current != null && current.bytes() != null;
            found(name, slot, seen, there ? StampedBytes.tombstone(stamp) : null, null);
            return;
        }
        boolean concerned = events.concern(name, value);
        if (concerned && seen.fresh()) {
            return; // Another request is about to get it.
        }
        Telling passivation = concerned ? slot.passivate(value, answered) : null;
        if (concerned && passivation == null) {
            return; // Another request uses it, and its commit looks at it.
        }
        if (use == Use.READ) {
            services.metrics().count(Counter.ATTRIBUTES_COMPARED);
        }
        byte[] known = use == Use.READ ? seen.encoding() : current == null ? null : current.bytes();
        Encoding encoding = passivation == null
                ? encode(name, value, seen, known)
                : passivate(name, slot, seen, known, passivation);
        byte[] bytes = encoding.bytes();
        if (bytes == null) {
            kept(name, slot, seen, encoding.passing(), stamp);
        } else if (use == Use.WRITTEN ? differs(bytes, current) : changedInPlace(bytes, seen)) {
            if (fits(name, value, bytes, seen)) {
                found(name, slot, seen, StampedBytes.of(stamp, bytes), new Weighed(bytes, encoding.heapBytes()));
                if (use == Use.READ) {
                    services.metrics().count(Counter.ATTRIBUTES_CHANGED_IN_PLACE);
                }
            } else {
                kept(name, slot, seen, false, stamp);
            }
        } else if (use == Use.READ && !seen.again()) {
            slot.unchanged(seen, bytes);
        } else {
            found(name, slot, seen, null, new Weighed(bytes, encoding.heapBytes()));
        }
    }

    /** @param change {@code null} if it is none */
    private void found(
            String name, AttributeSlot slot, Look seen, @Nullable StampedBytes change, @Nullable Weighed encoding) {
        if (!slot.hold(seen)) {
            return; // It took over what another node wrote since: no request that goes on holds the value that was
            // seen.
        }
        StampedBytes baseline =
                change != null ? change : seen.use() == Use.WRITTEN ? replica.attribute(name) : seen.baseline();
        add(new Found(name, slot, seen, change, true, false, baseline, encoding));
    }

    /**
     * The value stays here, and what the others have of this name is withdrawn: they would show an old value, such as who was
     * logged in before. Unless it is the same object, and may be encoded at the next try: then they keep its last good state.
     *
     * @param passing whether the reason may be gone at the next try
     */
    private void kept(String name, AttributeSlot slot, Look seen, boolean passing, Stamp stamp) {
        StampedBytes there = replica.attribute(name);
        boolean withdrawn = there != null && there.bytes() != null && (!passing || seen.replaced());
        StampedBytes tombstone = withdrawn ? StampedBytes.tombstone(stamp) : null;
        // A slot whose value stays unsent goes on taking over what other nodes write.
        if (!(withdrawn ? slot.hold(seen) : slot.isAs(seen))) {
            return;
        }
        if (tombstone != null) {
            begin().remove(name);
        }
        add(new Found(name, slot, seen, tombstone, false, passing && slot.used(), tombstone, null));
    }

    private boolean fits(String name, Object value, byte[] bytes, Look seen) {
        String objection = begin().objection(name, bytes.length);
        if (objection != null) {
            notReplicated(name, value, seen, KeptAttributes.Reason.SESSION_FULL, objection);
        }
        return objection == null;
    }

    /** @param known what the value was encoded to, if it is the same */
    private Encoding passivate(
            String name, AttributeSlot slot, Look seen, byte @Nullable [] known, Telling passivation) {
        Object value = Objects.requireNonNull(seen.value());
        try {
            told = true;
            events.willPassivate(name, value);
            try {
                return encode(name, value, seen, known);
            } finally {
                events.didActivate(name, value);
            }
        } finally {
            slot.told(passivation);
        }
    }

    /** Whatever the application's classes throw. */
    private Encoding encode(String name, Object value, Look seen, byte @Nullable [] known) {
        String objection = WireText.objection(name);
        if (objection != null) {
            notReplicated(name, value, seen, KeptAttributes.Reason.NAME, "in its name, " + objection);
            return Encoding.NEVER;
        }
        KeptAttributes.Reason kind = KeptAttributes.Reason.ENCODING;
        String reason;
        boolean passing;
        try {
            // What was only read is rarely changed: then it counts by its bytes, as heavy as it was.
            return seen.use() == Use.READ
                    ? new Encoding(codec.encode(value, known), 0, false)
                    : Encoding.of(codec.weigh(value, known));
        } catch (NotReplicableException e) {
            if (e.changing()) {
                services.metrics().count(Counter.ATTRIBUTES_KEPT_CHANGING);
            }
            reason = String.valueOf(e.getMessage());
            passing = e.passing();
            kind = KeptAttributes.Reason.of(e);
        } catch (ThreadDeath e) {
            throw e; // The thread is to end, and nothing of this commit is sent.
        } catch (Throwable e) {
            reason = "encoding it failed with " + e;
            passing = e instanceof OutOfMemoryError;
        }
        notReplicated(name, value, seen, kind, reason);
        return passing ? Encoding.NOT_NOW : Encoding.NEVER;
    }

    /** A value counts once, however often it is tried. */
    private void notReplicated(String name, Object value, Look seen, KeptAttributes.Reason kind, String reason) {
        if (staying.isEmpty()) {
            staying = new ArrayList<>(1);
        }
        staying.add(() -> services.kept().add(replica.key(), name, slots, kind, reason));
        if (!seen.again()) {
            services.warnings().notReplicated(name, value, reason);
        }
    }

    private static boolean differs(byte[] bytes, @Nullable StampedBytes current) {
        return current == null || !Arrays.equals(bytes, current.bytes());
    }

    /**
     * Encodings need not be canonical: the hash tables of a copy may have another order than the value had that was encoded.
     * So if nothing else than the baseline is known, a fresh copy of it decides.
     */
    private boolean changedInPlace(byte[] bytes, Look seen) {
        byte[] baseline = seen.baseline() == null ? null : seen.baseline().bytes();
        if (baseline == null) {
            return false; // Set here, and not replicable so far: it is looked at again as what was set.
        }
        if (Arrays.equals(bytes, seen.encoding())) {
            return false;
        }
        if (!Arrays.equals(baseline, seen.encoding())) {
            return true;
        }
        try {
            return !Arrays.equals(bytes, codec.encode(codec.decode(baseline)));
        } catch (NotDecodableException | NotReplicableException e) {
            return true;
        } catch (ThreadDeath e) {
            throw e;
        } catch (Throwable e) {
            return true; // Of the application's classes.
        }
    }
}
