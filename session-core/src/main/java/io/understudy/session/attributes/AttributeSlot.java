package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec;
import io.understudy.codec.AttributeCodec.Copy;
import io.understudy.codec.AttributeCodec.Weighed;
import io.understudy.codec.NotDecodableException;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.session.tickets.RunningTickets;
import io.understudy.session.tickets.RunningTickets.Holders;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One attribute of a live session: its {@linkplain SlotObject object}, and how requests and commits {@linkplain SlotUse use}
 * that. Goes when nobody needs it.
 *
 * <p>Threads: guarded by this.
 */
final class AttributeSlot {

    private final SlotObject object;
    private final SlotUse use;

    /** Threads that are in the middle of something with this slot. */
    private int users;

    /** Neither a commit nor the end of a request has anything to do here until a thread enters. */
    private boolean settled = true;

    /** Nobody uses the slot any more: another one of that name may be there. */
    private boolean gone;

    /** What was lent and let go, for as long as somebody holds it. */
    private @Nullable Lent out;

    /** Rises with each change of what is here: what was looked up in the replica before is of no use then. */
    private int epoch;

    /** A commit is about to send what it saw: the slot keeps that until it is merged here, or given up. */
    private boolean held;

    /** @param objectBytes the heap of all objects of the session, which its own is part of */
    AttributeSlot(RunningTickets running, AtomicLong objectBytes) {
        this.object = new SlotObject(objectBytes);
        this.use = new SlotUse(running);
    }

    /** @return false if the slot is gone, and not to be used */
    synchronized boolean enter(String name, BusySlots busy) {
        if (gone) {
            return false;
        }
        wake(name, busy);
        users++;
        return true;
    }

    /** Under the lock: the slot is busy exactly while it is not settled. */
    private void wake(String name, BusySlots busy) {
        if (settled) {
            busy.put(name, this);
            settled = false;
        }
    }

    synchronized void leave() {
        users--;
    }

    /** To be asked before the newest value is looked up. */
    synchronized int epoch() {
        return epoch;
    }

    /**
     * Takes over what another node wrote, unless a running request has read or set the attribute, or it is being committed.
     *
     * @param newest as the replica had it after {@code asOf} was asked for
     * @return false, and nothing happens, if it has to be looked up anew: somebody wrote here since
     */
    synchronized boolean refresh(@Nullable StampedBytes newest, int asOf) {
        if (held
                || use.written()
                || Objects.equals(newest == null ? null : newest.stamp(), object.stamp())
                || forgotten(newest)
                || use.heldByRequests()) {
            return true;
        }
        if (asOf != epoch) {
            return false;
        }
        Lent kept = newest != null && out != null && newest.stamp().equals(out.stamp()) ? out : null;
        clear();
        object.reset(newest);
        Object there = kept == null ? null : kept.object().get();
        if (kept != null && there != null) {
            object.restore(there, kept.encoding());
            use.lendAgain();
        }
        return true;
    }

    private void clear() {
        epoch++;
        object.reset(null);
        use.clear();
        out = null;
    }

    /** Whether the replica remembers no more that the value was withdrawn, which stays here. */
    private boolean forgotten(@Nullable StampedBytes newest) {
        return newest == null && use.unsent() && object.withdrawn();
    }

    /** Whether there is a value, without decoding it; one that could not be decoded when it was read is none. */
    synchronized boolean present() {
        return object.present();
    }

    /** Whether a removal changes something: also of a value that can't be decoded here. */
    synchronized boolean removable() {
        return object.removable();
    }

    synchronized @Nullable StampedBytes baseline() {
        return object.baseline();
    }

    /**
     * The value, decoded if need be: without the monitor, as classes of the application run then. Of several threads that
     * decode it at once all get the object of the first.
     *
     * @param by one of which reads it
     * @param watched whether whoever reads it may change it in place
     * @throws NotDecodableException if it can't be; it then counts as absent until the next attempt
     */
    @Nullable
    Object read(AttributeCodec codec, Holders by, boolean watched) throws NotDecodableException {
        while (true) {
            StampedBytes source;
            synchronized (this) {
                source = object.undecoded();
                if (source == null) {
                    use.read(by, watched && object.changeable());
                    return object.value();
                }
            }
            decode(codec, source);
        }
    }

    private void decode(AttributeCodec codec, StampedBytes source) throws NotDecodableException {
        Copy copy;
        try {
            copy = codec.copy(Objects.requireNonNull(source.bytes()));
        } catch (NotDecodableException e) {
            undecodable(source);
            throw e;
        } // Anything else, such as a full heap, says nothing of the bytes.
        decoded(source, copy, !codec.immutable(copy.value()));
    }

    private synchronized void undecodable(StampedBytes source) {
        object.undecodable(source);
    }

    private synchronized void decoded(StampedBytes source, Copy copy, boolean mutable) {
        object.decoded(source, copy, mutable);
    }

    /**
     * A new value in the place of this one.
     *
     * @param expected what was read here; {@code null} for none, or for one that could not be decoded
     * @param newValue {@code null} for a removal
     * @param mutable whether whoever sets it may change it in place
     * @return false, and nothing happens, if another one is here by now
     */
    synchronized boolean replace(@Nullable Object expected, @Nullable Object newValue, Holders by, boolean mutable) {
        if (object.unread() || !object.is(expected)) {
            return false;
        }
        boolean another = !object.is(newValue);
        use.replacing(by, object.changeable(), another);
        object.set(newValue, mutable);
        use.write(by, mutable, another);
        epoch++;
        return true;
    }

    /**
     * Whether this thread has to tell a value that it was decoded; if so, {@link #told} follows. Otherwise it is {@code null}:
     * the value was told, or {@link #telling another thread does so}.
     */
    synchronized @Nullable Telling tell(Object decodedValue) {
        return object.tell(decodedValue);
    }

    /**
     * A commit is going to passivate and activate a value; {@link #told} follows. Requests that ask for it meanwhile wait.
     *
     * @param own the ticket of the commit's request; 0 if it has none, or has ended
     * @param answered whether the response of the commit's request has left
     * @return {@code null} if the value is left to the commit of another request, which uses it now
     */
    synchronized @Nullable Telling passivate(Object seen, long own, boolean answered) {
        boolean left = answered && object.is(seen) && use.leftToOthers(own);
        return left ? null : object.tellBeside(seen);
    }

    /** Calls the action for the requests that may have changed what a commit sends, which has seen this. */
    synchronized void changers(Look seen, LongConsumer action) {
        use.changers(object.changeable() && object.is(seen.value()), action);
    }

    /** By whom a value is being told; {@code null} if by nobody. */
    synchronized @Nullable Telling telling(Object decodedValue) {
        return object.telling(decodedValue);
    }

    synchronized void told(Telling ended) {
        object.told(ended);
    }

    synchronized boolean toldByThisThread() {
        return object.toldByThisThread();
    }

    synchronized Look look() {
        return look(use.last());
    }

    private Look look(Use as) {
        return new Look(
                as,
                object.value(),
                object.baseline(),
                object.encodedBytes(),
                object.fresh(),
                use.unsent(),
                use.replaced(),
                use.putOff());
    }

    /**
     * For a commit, which compares and encodes while other requests go on. A value that could not be encoded is looked at
     * again if it is in use, and else when it is its {@linkplain SlotUse#due turn}.
     *
     * @return {@code null} if there is nothing to look at: of most attributes, and without the lock
     */
    @Nullable
    Look due() {
        return use.none() ? null : looked();
    }

    private synchronized @Nullable Look looked() {
        Use as = use.due();
        return as == null ? null : look(as);
    }

    /** The commit of a request that may have changed the object is left to the next one. */
    synchronized void owe() {
        use.owe();
    }

    synchronized boolean paid() {
        return use.paid();
    }

    /** Whether it was removed since the last commit. */
    boolean removed() {
        return use.written() && emptied();
    }

    private synchronized boolean emptied() {
        return use.written() && object.value() == null;
    }

    /**
     * A commit is about to send what it saw; {@link #committed} or {@link #givenUp} follows.
     *
     * @return false, and nothing happens, unless the slot is {@linkplain #isAs as} it was seen
     */
    synchronized boolean hold(Look seen) {
        held |= isAs(seen);
        return isAs(seen);
    }

    /**
     * Whether the slot did not take over what another node wrote since: if it did, no request that goes on holds the value that
     * was seen, and it is no change.
     */
    synchronized boolean isAs(Look seen) {
        return object.standsFor(seen.baseline());
    }

    /**
     * The value that was seen has these bytes now, here and in the replica; in a running request it stays under watch.
     *
     * @param encoded what it was encoded to, which may be others than those of the copy it is equal to
     */
    synchronized void committed(Look seen, @Nullable StampedBytes bytes, @Nullable Weighed encoded) {
        held = false;
        epoch++;
        object.replicated(bytes, encoded);
        if (object.is(seen.value())) {
            use.committed(object.changeable());
        }
    }

    /** The commit found the value that it saw equal to the baseline. The slot is not held: it goes on taking over newer values. */
    synchronized void unchanged(Look seen, byte[] encoded) {
        if (isAs(seen) && object.is(seen.value())) {
            object.unchanged(encoded);
        }
    }

    /**
     * The value that was seen can't be encoded: it stays here, and later commits look at it again.
     *
     * @param tombstone what the replica has by now in the place of an older value; {@code null} if it has what it had
     * @param failing since when it fails for a reason that may pass; {@code null} if the reason stays
     */
    synchronized void kept(Look seen, @Nullable StampedBytes tombstone, @Nullable PutOff failing) {
        held = false; // It may have been looked at twice.
        if (tombstone != null) {
            object.withdraw(tombstone);
            epoch++;
        }
        if (object.is(seen.value())) {
            use.kept(seen.use(), tombstone != null, failing);
        }
    }

    /** Whether there is a value that could not be encoded; without the lock. */
    boolean unsent() {
        return use.unsent();
    }

    /** Whether other nodes may have an older state of the value, until a later commit encodes or withdraws it. */
    boolean putOff() {
        return use.isPutOff();
    }

    /** Whether no other thread than that of the one request that runs may change the object, as far as is known. */
    synchronized boolean alone() {
        return use.alone();
    }

    /** Whether this request set it since the last commit, or holds it; if it is 0, whether any does. */
    synchronized boolean used(long by) {
        return use.used(by);
    }

    /** The value of this stamp, which nobody changed, has another one in the replica. */
    synchronized void lifted(Stamp before, StampedBytes now) {
        if (object.lift(before, now)) {
            epoch++;
        }
        if (out != null && before.equals(out.stamp())) {
            out = new Lent(out.object(), now.stamp(), out.encoding());
        }
    }

    synchronized void givenUp() {
        held = false;
    }

    /** A request is answered: it may still change the object, but keeps others from the newest value no longer. */
    synchronized void release(long ticket) {
        use.release(ticket);
    }

    /** A request has ended, and holds the object no more: what nobody holds needs no more watching. */
    synchronized void unwatch(long ticket) {
        use.unwatch(ticket);
    }

    /**
     * Goes if it is empty. Settles if no commit has to look at the value, nobody holds it, and no other node has removed it.
     *
     * @return whether it is gone
     */
    synchronized boolean settle(String name, BusySlots busy) {
        boolean over = letGoIfEmpty();
        if (!over && busy.maySettle(object.stamp()) && !needed() && !use.inUse() && out == null) {
            settled = true;
            busy.remove(name, this);
        }
        return over;
    }

    /** Whether somebody holds it, or it has what the replica has not. */
    private boolean needed() {
        return users > 0 || held || object.beingTold() || use.needed();
    }

    /** Whether threads of no request may hold the object, and have changed it since the last commit looked at it. */
    synchronized boolean lent() {
        return use.lent();
    }

    /**
     * Goes if nobody holds the object, and the replica has the value.
     *
     * @return whether it is gone
     */
    synchronized boolean letGo() {
        if (!needed() && !use.lent() && (out == null || out.gone())) {
            clear();
            gone = true;
        }
        return gone;
    }

    private boolean letGoIfEmpty() {
        return object.empty() && !use.lent() && letGo();
    }

    /**
     * Lets go of an attribute that this or another node removed. Otherwise each name that a node sets, and another node
     * removes, would leave a slot here. A slot whose value is older than the last removal is settled no longer.
     */
    synchronized boolean letGoIfRemoved(String name, SessionReplica replica, BusySlots busy, long lastRemoval) {
        boolean over = (!needed() && object.removedFrom(replica, name)) ? letGo() : letGoIfEmpty();
        if (!over && !BusySlots.later(object.stamp(), lastRemoval)) {
            wake(name, busy);
        }
        return over;
    }

    /** The next commit compares what was lent with the baseline. */
    synchronized void watchLent() {
        use.watchLent();
    }

    /** The same as {@link #letGo} after a commit: who holds what was lent finds it again for as long as he does. */
    synchronized boolean letGoOfLent() {
        if (use.lent() && !needed()) {
            Lent left = Lent.of(object.value(), object.stamp(), object.encoding());
            clear();
            out = left;
        }
        return letGo();
    }
}
