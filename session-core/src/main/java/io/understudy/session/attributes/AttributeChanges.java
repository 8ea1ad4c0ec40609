package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec.Weighed;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.session.activation.ActivationEvents;
import io.understudy.session.attributes.AttributeEncoder.Encoding;
import io.understudy.session.attributes.AttributeEncoder.Failure;
import io.understudy.session.failures.KeptAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
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

    /** Ends the warning of a value that was put off. */
    private static final String GIVEN_UP = "; later tries failed, too, so other nodes find no such attribute";

    private final AttributeServices services;
    private final SessionReplica replica;
    private final AttributeSlots slots;
    private final AttributeOwner owner;
    private final ActivationEvents events;
    private final long own;
    private final boolean answered;

    private final FoundChanges found = new FoundChanges();

    /** The newest replica that was looked at. */
    private SessionReplica now;

    /** The time of the last removal in the replicas that this commit has looked at. */
    private long lastRemoval;

    /** An attribute that is looked at, and what other nodes have of it. */
    private record Looked(
            String name,
            AttributeSlot slot,
            Look seen,
            @Nullable StampedBytes current,
            Stamp stamp) {}

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

    private AttributeChanges(
            AttributeServices services,
            AttributeOwner owner,
            SessionReplica replica,
            AttributeSlots slots,
            long own,
            boolean answered) {
        this.services = services;
        this.slots = slots;
        this.owner = owner;
        this.events = owner.events();
        this.replica = replica;
        this.now = replica;
        this.own = own;
        this.answered = answered;
    }

    /** Most commits of requests that only read end without. */
    private SessionRoom begin() {
        SessionRoom begun = room;
        if (begun == null) {
            int limit = services.maxSessionBytes();
            folded = replica.folded(limit / SHARE_OF_REMOVALS);
            lastRemoval = Math.max(lastRemoval, replica.lastRemovalTime());
            begun = new SessionRoom(replica, folded, limit);
            room = begun;
        }
        return begun;
    }

    /**
     * The changes since the last commit, each stamped above what it overwrites. To be closed, committed or not. For the
     * last two see {@link AttributeSlot#passivate}.
     */
    static AttributeChanges find(
            AttributeServices services,
            AttributeOwner owner,
            SessionReplica replica,
            AttributeSlots slots,
            long own,
            boolean answered) {
        AttributeChanges changes = new AttributeChanges(services, owner, replica, slots, own, answered);
        boolean complete = false;
        slots.committing();
        try {
            slots.forEachBusy(changes::lookForRoom);
            slots.forEachBusy(changes::lookIfDue);
            if (changes.told) {
                slots.forEachBusy(changes::lookAgain);
            }
            changes.changes = changes.found.toSend(changes.folded);
            complete = true;
            return changes;
        } finally {
            if (!complete) {
                changes.close();
            }
        }
    }

    /** The session as it was before this commit. */
    SessionReplica replica() {
        return replica;
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
        return found.any(FoundChange::putOff);
    }

    /** Whether other nodes keep an older state of a value until a later commit. To be asked before {@link #committed}. */
    public boolean leavesPutOff() {
        return found.any(FoundChange::leavesPutOff);
    }

    /** Calls the action for the requests that may have changed what this commit sends; some of them may be over. */
    public void changers(LongConsumer action) {
        found.changers(action);
    }

    /** All of it is merged here. */
    void committed() {
        slots.paid();
        found.committed();
        for (int i = 0; i < staying.size(); i++) {
            staying.get(i).run();
        }
        if (!changes.isEmpty() && !folded.isEmpty()) {
            folded.forEach(this::lifted);
        }
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
        slots.committed(); // First: the rest may fail for want of memory.
        found.giveUp();
    }

    private void lookForRoom(String name, AttributeSlot slot) {
        if (slot.removed()) {
            begin().remove(name);
        }
    }

    private void lookIfDue(String name, AttributeSlot slot) {
        if (slot.unsent()) {
            // Another node may have gone on from the last good state. Else a later try would overwrite what it made of
            // that.
            int asOf = slot.epoch();
            boolean unused = slot.refresh(current(name, slot.baseline()), asOf);
        }
        Look due = slot.due();
        if (due != null) {
            look(name, slot, due);
        }
    }

    /** Listeners may have set attributes, and changed in place what was looked at before them. What can't be encoded is not tried twice. */
    @SuppressWarnings("ReferenceEquality") // Another object is another write, even if equal.
    private void lookAgain(String name, AttributeSlot slot) {
        Look seen = slot.look();
        Object value = seen.value();
        FoundChange before = found.of(name);
        boolean another = before == null || before.seen().value() != value;
        boolean mayDiffer = seen.use() != Use.NONE
                && value != null
                && !events.concern(name, value)
                && (before == null ? !seen.again() : before.encoded());
        if (mayDiffer || (seen.use() == Use.WRITTEN && another)) {
            look(name, slot, seen);
        }
    }

    private void look(String name, AttributeSlot slot, Look seen) {
        begin();
        Use use = seen.use();
        Object value = seen.value();
        // Before encoding: what another thread changes meanwhile is then found by a later commit with a later stamp.
        StampedBytes current = current(name, seen.baseline());
        Stamp stamp = services.clock()
                .next(Math.max(
                        lastRemoval, current == null ? 0 : current.stamp().time()));
        Looked at = new Looked(name, slot, seen, current, stamp);
        if (value == null) {
            boolean there = current != null && current.bytes() != null;
            found(at, there ? StampedBytes.tombstone(stamp) : null, null);
            return;
        }
        boolean concerned = events.concern(name, value);
        if (concerned && seen.fresh()) {
            return; // Another request is about to get it.
        }
        Telling passivation = concerned ? slot.passivate(value, own, answered) : null;
        if (concerned && passivation == null) {
            return; // Another request uses it, and its commit looks at it.
        }
        if (use == Use.READ) {
            services.metrics().count(Counter.ATTRIBUTES_COMPARED);
        }
        byte[] known = use == Use.READ ? seen.encoding() : current == null ? null : current.bytes();
        Encoding encoding = passivation == null
                ? services.encoder().encode(name, value, use, known)
                : passivate(name, slot, seen, known, passivation);
        Weighed encoded = encoding.value();
        if (encoded == null) {
            kept(at, value, Objects.requireNonNull(encoding.failure()));
            return;
        }
        byte[] bytes = encoded.bytes();
        if (use == Use.WRITTEN ? differs(bytes, current) : services.encoder().changedInPlace(bytes, seen)) {
            String objection = begin().objection(name, bytes.length, current);
            if (objection == null) {
                boolean foundBefore = found.of(name) != null;
                found(at, StampedBytes.of(stamp, bytes), encoded);
                if (use == Use.READ && !foundBefore) {
                    services.metrics().count(Counter.ATTRIBUTES_CHANGED_IN_PLACE);
                }
            } else {
                kept(at, value, Failure.of(KeptAttributes.Reason.SESSION_FULL, objection, false));
            }
        } else if (use == Use.READ && !seen.again() && found.of(name) == null) {
            slot.unchanged(seen, bytes);
        } else {
            found(at, null, encoded);
        }
    }

    /**
     * What other nodes have of an attribute, to be asked for after the slot was looked at. A request may have seen, and
     * changed, what arrived since this commit began: the replica as it was then does not know that.
     *
     * @param seen what the slot stands for: the best that is known if the session goes on as another one, or can't be read
     */
    @SuppressWarnings("ReferenceEquality") // A merge that changes something gives another object.
    private @Nullable StampedBytes current(String name, @Nullable StampedBytes seen) {
        SessionReplica newest = owner.replica();
        if (newest == null || newest.ended()) {
            return seen;
        }
        if (newest != now) {
            now = newest;
            lastRemoval = Math.max(lastRemoval, newest.lastRemovalTime());
        }
        return newest.attribute(name, seen);
    }

    /** @param change {@code null} if it is none */
    private void found(Looked at, @Nullable StampedBytes change, @Nullable Weighed encoding) {
        Look seen = at.seen();
        if (!at.slot().hold(seen)) {
            return; // It took over what another node wrote since, so no request goes on with the value seen.
        }
        StampedBytes baseline = change != null ? change : seen.use() == Use.WRITTEN ? at.current() : seen.baseline();
        found.add(new FoundChange(at.name(), at.slot(), seen, change, true, false, null, baseline, encoding));
    }

    /**
     * The value stays here, and what the others have of this name is withdrawn: they would show an old value, such as who was
     * logged in before. Unless it is the same object, and may be encoded at the next try: then they keep its last good state
     * for as long as it is {@linkplain PutOff put off}.
     */
    private void kept(Looked at, Object value, Failure failure) {
        String name = at.name();
        AttributeSlot slot = at.slot();
        Look seen = at.seen();
        PutOff failing = failure.passing() ? putOff(slot, seen, failure) : null;
        boolean passing = failing != null && !failing.over();
        notReplicated(name, value, seen, failure, failing != null && failing.over());
        if (passing && failure.changing()) {
            services.metrics().count(Counter.ATTRIBUTES_KEPT_CHANGING);
        }
        StampedBytes there = at.current();
        boolean withdrawn = there != null && there.bytes() != null && (!passing || seen.replaced());
        StampedBytes tombstone = withdrawn ? StampedBytes.tombstone(at.stamp()) : null;
        // A slot whose value stays unsent goes on taking over what other nodes write.
        if (!(withdrawn ? slot.hold(seen) : slot.isAs(seen))) {
            return;
        }
        if (tombstone != null) {
            begin().remove(name);
        }
        found.add(new FoundChange(
                name, slot, seen, tombstone, false, passing && slot.used(own), failing, tombstone, null));
    }

    private PutOff putOff(AttributeSlot slot, Look seen, Failure failure) {
        long now = services.time().monotonicMillis();
        // Without memory nobody has found a change: the others would lose a login that is as it was.
        return !failure.changing() && seen.use() == Use.READ && !seen.replaced()
                ? PutOff.perhapsUnchanged(now)
                : PutOff.of(seen.putOff(), now, failure.repeated(), slot.alone());
    }

    /** @param known what the value was encoded to, if it is the same */
    private Encoding passivate(
            String name, AttributeSlot slot, Look seen, byte @Nullable [] known, Telling passivation) {
        Object value = Objects.requireNonNull(seen.value());
        try {
            told = true;
            events.willPassivate(name, value);
            try {
                return services.encoder().encode(name, value, seen.use(), known);
            } finally {
                events.didActivate(name, value);
            }
        } finally {
            slot.told(passivation);
        }
    }

    /**
     * A value counts once, however often it is tried. Each reason of it is warned of.
     *
     * @param givenUp whether it failed so often that it is put off no longer
     */
    private void notReplicated(String name, Object value, Look seen, Failure failure, boolean givenUp) {
        String first = failure.text() + (givenUp ? GIVEN_UP : "");
        String valueClass = value.getClass().getName();
        if (staying.isEmpty()) {
            staying = new ArrayList<>(1);
        }
        // To find all classes in the way costs more than encoding does: once for each value and reason.
        KeptAttributes.Why why = seen.again() ? services.kept().known(replica.key(), name, valueClass, first) : null;
        if (why == null) {
            String all = services.encoder().explained(value, failure) + (givenUp ? GIVEN_UP : "");
            why = new KeptAttributes.Why(failure.kind(), valueClass, first, all);
        }
        staying.add(services.kept().found(replica.key(), name, slots, why));
        if (!seen.again()) {
            services.metrics().count(Counter.ATTRIBUTES_NOT_REPLICATED);
        }
    }

    private static boolean differs(byte[] bytes, @Nullable StampedBytes current) {
        return current == null || !Arrays.equals(bytes, current.bytes());
    }
}
