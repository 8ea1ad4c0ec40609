package io.understudy;

import io.understudy.codec.AttributeCodec;
import io.understudy.codec.AttributeCodec.Copy;
import io.understudy.codec.NotDecodableException;
import io.understudy.replica.StampedBytes;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One attribute of a live session: its bytes as last seen, and its object once somebody asked for it.
 *
 * <p>Threads: guarded by this.
 */
final class AttributeSlot {

    /** What a commit looks at. */
    enum Use {
        /** Not used since the session's last request ended. */
        NONE,
        /** A mutable value was read: it may have been changed in place. */
        READ,
        /** Set or removed, and not yet committed. */
        WRITTEN
    }

    /**
     * A slot at one moment.
     *
     * @param value {@code null} if there is none, or nobody asked for it
     * @param baseline what the value was decoded from, or last encoded to
     * @param encoding what the value was encoded to when it was as in the baseline; {@code null} if it was not decoded
     * @param fresh whether it was decoded, and was not told so yet
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares looks.
    record Look(
            Use use,
            @Nullable Object value,
            @Nullable StampedBytes baseline,
            byte @Nullable [] encoding,
            boolean fresh) {}

    /**
     * What the object was decoded from, or last encoded to, on this node: a value read is compared with this and never
     * with the replica's newest bytes, else a plain read would undo another node's write.
     */
    private @Nullable StampedBytes baseline;

    private @Nullable Object value;
    private byte @Nullable [] encoding;
    private boolean decoded;

    /** It was decoded, and was not told so yet if it wants to know: nobody has it. */
    private boolean fresh;

    /** It is being told. */
    private boolean telling;

    /** The baseline was tried, and can't be decoded here. */
    private boolean quarantined;

    /** The running requests that read or set the attribute: they may hold the object. */
    private final Set<Long> holders = new HashSet<>(2);

    private Use use = Use.NONE;

    /**
     * Takes over what another node wrote, unless a running request has read or set the attribute.
     */
    synchronized void refresh(@Nullable StampedBytes newest) {
        if (!holders.isEmpty() || use == Use.WRITTEN || same(newest, baseline)) {
            return;
        }
        baseline = newest;
        value = null;
        encoding = null;
        decoded = false;
        fresh = false;
        quarantined = false;
        use = Use.NONE;
    }

    private static boolean same(@Nullable StampedBytes a, @Nullable StampedBytes b) {
        return Objects.equals(a == null ? null : a.stamp(), b == null ? null : b.stamp());
    }

    /** Whether there is a value, without decoding it; one that could not be decoded when it was read is none. */
    synchronized boolean present() {
        return !quarantined && removable();
    }

    /** Whether a removal changes something: also of a value that can't be decoded here. */
    synchronized boolean removable() {
        return decoded ? value != null : (baseline != null && baseline.bytes() != null);
    }

    /** What the slot was last filled with. */
    synchronized @Nullable StampedBytes baseline() {
        return baseline;
    }

    /**
     * The value, decoded if need be.
     *
     * @param tickets of the requests, one of which reads it
     * @param watched whether whoever reads it may change it in place
     * @throws NotDecodableException if it can't be; it then counts as absent until the next attempt
     */
    synchronized @Nullable Object read(AttributeCodec codec, Collection<Long> tickets, boolean watched)
            throws NotDecodableException {
        if (!decoded) {
            byte[] bytes = baseline == null ? null : baseline.bytes();
            quarantined = true; // Unless it succeeds; then nobody gets an object, and nobody holds one.
            Copy copy = bytes == null ? null : codec.copy(bytes);
            value = copy == null ? null : copy.value();
            encoding = copy == null ? null : copy.encoding();
            quarantined = false;
            decoded = true;
            fresh = true;
        }
        holders.addAll(tickets);
        if (watched && use == Use.NONE && value != null && !codec.immutable(value)) {
            use = Use.READ;
        }
        return value;
    }

    /** A new value, or {@code null} for a removal. */
    synchronized void write(@Nullable Object newValue, Collection<Long> tickets) {
        value = newValue;
        decoded = true;
        fresh = false;
        quarantined = false;
        holders.addAll(tickets);
        use = Use.WRITTEN;
    }

    /** Whether this value is to be told now that it was decoded; if so, {@link #told} follows. One thread at a time. */
    synchronized boolean tell(Object decodedValue) {
        if (!fresh || telling || !sameObject(value, decodedValue)) {
            return false;
        }
        telling = true;
        return true;
    }

    synchronized void told() {
        fresh = false;
        telling = false;
    }

    /** For a commit, which compares and encodes while other requests go on. */
    synchronized Look look() {
        return new Look(use, value, baseline, encoding, fresh);
    }

    /**
     * The value that was seen has these bytes now; in a running request it stays under watch.
     *
     * @param encoded what it was encoded to, which may be others than those of the copy it is equal to
     * @return false, and nothing happens, if the slot took over what another node wrote since: no request that goes on holds
     *     the value that was seen, and it is no change
     */
    synchronized boolean committed(Look seen, @Nullable StampedBytes bytes, byte @Nullable [] encoded) {
        if (!sameObject(baseline, seen.baseline())) {
            return false;
        }
        baseline = bytes;
        encoding = encoded;
        if (use == Use.WRITTEN && sameObject(value, seen.value())) {
            use = value == null ? Use.NONE : Use.READ;
        }
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // Another object set meanwhile is another write, even if equal.
    private static boolean sameObject(@Nullable Object one, @Nullable Object other) {
        return one == other;
    }

    /** A request is answered: it may still change the object, but keeps others from the newest value no longer. */
    synchronized void release(long ticket) {
        holders.remove(ticket);
    }

    /** A request has ended, and holds the object no more: what nobody holds needs no more watching. */
    synchronized void unwatch(long ticket) {
        holders.remove(ticket);
        if (holders.isEmpty() && use == Use.READ) {
            use = Use.NONE;
        }
    }
}
