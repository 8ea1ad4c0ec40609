package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec.Copy;
import io.understudy.codec.AttributeCodec.Weighed;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The object of one attribute on this node, once it is decoded or set, and the bytes that it stands for. A thread may be
 * telling it that it was decoded, or is going to be encoded.
 *
 * <p>One for each slot: it has the fields for that in place of objects of their own. Threads: guarded by the slot.
 */
final class SlotObject {

    /**
     * What the object was decoded from, or last encoded to, on this node: a value read is compared with this and never
     * with the replica's newest bytes, else a plain read would undo another node's write.
     */
    private @Nullable StampedBytes baseline;

    private @Nullable Object value;
    private @Nullable Weighed encoding;
    private boolean decoded;

    /** The value may be changed in place. */
    private boolean changeable;

    /** It was decoded, and was not told so yet if it wants to know: nobody has it. */
    private boolean fresh;

    /** The baseline was tried, and can't be decoded here. */
    private boolean quarantined;

    /** By whom the value is being told. */
    private @Nullable Telling telling;

    /** Heap that it takes, by estimate; 0 if there is none, or it could not be encoded yet. Part of {@link #all}. */
    private int heapBytes;

    private final AtomicLong all;

    /** @param all the heap of all objects of the session */
    SlotObject(AtomicLong all) {
        this.all = all;
    }

    @Nullable
    StampedBytes baseline() {
        return baseline;
    }

    @Nullable
    Stamp stamp() {
        return baseline == null ? null : baseline.stamp();
    }

    @Nullable
    Object value() {
        return value;
    }

    @SuppressWarnings("ReferenceEquality") // Another object set meanwhile is another write, even if equal.
    boolean is(@Nullable Object other) {
        return value == other;
    }

    @SuppressWarnings("ReferenceEquality") // What another node wrote is another object.
    boolean standsFor(@Nullable StampedBytes bytes) {
        return baseline == bytes;
    }

    /** Whether there is a value that may be changed in place. */
    boolean changeable() {
        return value != null && changeable;
    }

    boolean fresh() {
        return fresh;
    }

    @Nullable
    Weighed encoding() {
        return encoding;
    }

    byte @Nullable [] encodedBytes() {
        return encoding == null ? null : encoding.bytes();
    }

    private void weigh() {
        int before = heapBytes;
        heapBytes = value == null || encoding == null ? 0 : encoding.heapBytes();
        if (heapBytes != before) {
            all.addAndGet(heapBytes - before);
        }
    }

    /** Whether there is a value, without decoding it; one that could not be decoded when it was read is none. */
    boolean present() {
        return !quarantined && removable();
    }

    /** Whether a removal changes something: also of a value that can't be decoded here. */
    boolean removable() {
        return decoded ? value != null : hasBytes();
    }

    /** Whether there are neither a value nor bytes of one. */
    boolean empty() {
        return value == null && !hasBytes();
    }

    /** Whether the bytes were removed. */
    boolean withdrawn() {
        return baseline != null && baseline.bytes() == null;
    }

    /** Whether the replica has a later removal in the place of the bytes, also if it remembers only a floor of that. */
    boolean removedFrom(SessionReplica replica, String name) {
        Stamp written = stamp();
        if (written == null || replica.attributeIs(name, written)) {
            return false;
        }
        StampedBytes now = replica.attribute(name);
        return now == null
                ? written.time() <= replica.lastRemovalTime() // A write of the commit that has just ended is later.
                : now.bytes() == null && now.stamp().compareTo(written) > 0;
    }

    private boolean hasBytes() {
        return baseline != null && baseline.bytes() != null;
    }

    /** The bytes that a reader has to decode; {@code null} if the {@link #value} is known. */
    @Nullable
    StampedBytes undecoded() {
        return !decoded && hasBytes() ? baseline : null;
    }

    /** Whether there are bytes that nobody tried to decode. */
    boolean unread() {
        return !quarantined && undecoded() != null;
    }

    /** Other bytes, or none, take the place of all that was here. */
    void reset(@Nullable StampedBytes newest) {
        baseline = newest;
        value = null;
        encoding = null;
        decoded = false;
        fresh = false;
        quarantined = false;
        weigh();
    }

    /** The object that these bytes were decoded to before is there still. */
    void restore(Object object, Weighed encodedTo) {
        value = object;
        decoded = true;
        changeable = true;
        encodedTo(encodedTo);
    }

    /** Nothing happens if another thread was faster. */
    void decoded(StampedBytes source, Copy copy, boolean mutable) {
        if (decoded || !standsFor(source)) {
            return;
        }
        changeable = mutable;
        quarantined = false;
        decoded = true;
        fresh = true;
        value = copy.value();
        encoding = copy.encoding();
        weigh();
    }

    /** The bytes can't be decoded here: the value counts as absent until the next attempt. */
    void undecodable(StampedBytes source) {
        if (!decoded && standsFor(source)) {
            quarantined = true;
            value = null;
            encoding = null;
            weigh();
        }
    }

    /** @param newValue {@code null} for a removal */
    void set(@Nullable Object newValue, boolean mutable) {
        value = newValue;
        changeable = mutable;
        decoded = true;
        fresh = false;
        quarantined = false;
        weigh();
    }

    /** The replica has these bytes now. */
    void replicated(@Nullable StampedBytes bytes, @Nullable Weighed encodedTo) {
        baseline = bytes;
        encodedTo(encodedTo);
    }

    /** The value stays here, and the replica has this in the place of an older one. */
    void withdraw(StampedBytes tombstone) {
        baseline = tombstone;
        encoding = null;
        weigh();
    }

    /** The same bytes have another stamp in the replica. */
    boolean lift(Stamp before, StampedBytes now) {
        if (!before.equals(stamp())) {
            return false;
        }
        baseline = now;
        return true;
    }

    /** It was compared, and is as in the baseline. */
    void unchanged(byte[] encoded) {
        if (encoding == null || encoding.bytes() != encoded) {
            encodedTo(new Weighed(encoded, 0));
        }
    }

    /** @param now of an object that was not weighed with 0: then it weighs as much for each byte as before */
    private void encodedTo(@Nullable Weighed now) {
        byte[] here = baseline == null ? null : baseline.bytes();
        encoding = now == null ? null : now.like(encoding).sharing(here); // One array for both.
        weigh();
    }

    /** To be told by this thread; {@link #told} is to follow. {@code null} if it was told, or another thread does so. */
    @Nullable
    Telling tell(Object decodedValue) {
        return fresh && is(decodedValue) && telling(decodedValue) == null ? begin(decodedValue) : null;
    }

    private Telling begin(Object object) {
        telling = new Telling(object);
        return telling;
    }

    /** The same for an object that may be another one by now: if that is being told, nobody waits for this one. */
    Telling tellBeside(Object seen) {
        return telling == null ? begin(seen) : new Telling(seen);
    }

    /** By whom an object is being told; {@code null} if by nobody. */
    @Nullable
    Telling telling(Object object) {
        return telling != null && telling.of(object) ? telling : null;
    }

    @SuppressWarnings("ReferenceEquality") // Another one goes on.
    void told(Telling ended) {
        ended.over();
        if (telling == ended) {
            telling = null;
        }
        if (ended.of(value)) {
            fresh = false;
        }
    }

    boolean beingTold() {
        return telling != null;
    }

    boolean toldByThisThread() {
        return telling != null && telling.byThisThread();
    }
}
