package io.understudy.session.attributes;

import io.understudy.session.tickets.RunningTickets;
import io.understudy.session.tickets.RunningTickets.Holders;
import io.understudy.session.tickets.SlotHolders;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How requests and commits used the object of one attribute: whether a commit has to look at it, and who may still
 * change it.
 *
 * <p>A value that could not be encoded is tried again by the next commit, the second one after that, the fourth one and so
 * on, and every 64th commit at least. Each commit tries what is put off.
 *
 * <p>One for each slot. Threads: guarded by the slot, but for {@link #none}, {@link #written} and {@link
 * #isPutOff}.
 */
final class SlotUse {

    private static final int MOST_DOUBLED = 6;

    private final SlotHolders holders;

    /** Written under the lock, as all fields are. */
    private volatile Use use = Use.NONE;

    /** As what later commits look at a value that could not be encoded; {@code null} if there is none. */
    private volatile @Nullable Use unsent;

    /** How commits put off the present object, also if a request set it again; {@code null} if none did. */
    private volatile @Nullable PutOff putOff;

    /** Commits since the value could not be encoded. */
    private int passed;

    /** How often it could not be; no more than count. */
    private byte failures;

    /** The object took the place of another one since the last commit. */
    private boolean replaced;

    /** Threads that work for no request were given the object: they may hold it, and change it at any time. */
    private boolean lent;

    /** A commit of a request that used it was left to the next one, which is not made yet. */
    private boolean owed;

    /** A commit has looked since, which may fail yet. */
    private boolean owedSeen;

    SlotUse(RunningTickets running) {
        this.holders = new SlotHolders(running);
    }

    /** Whether there is nothing for a commit to look at. */
    boolean none() {
        return use == Use.NONE && unsent == null;
    }

    /** Whether it was set or removed since the last commit. */
    boolean written() {
        return use == Use.WRITTEN;
    }

    Use last() {
        return use;
    }

    /** Whether there is a value that could not be encoded. */
    boolean unsent() {
        return unsent != null;
    }

    boolean replaced() {
        return replaced;
    }

    @Nullable
    PutOff putOff() {
        return putOff;
    }

    /** Whether a later commit encodes the value, or withdraws it. */
    boolean isPutOff() {
        PutOff failing = putOff;
        return failing != null && !failing.over();
    }

    /** Whether one request at most runs, and no other thread may change the object. */
    boolean alone() {
        return !lent && holders.oneRuns();
    }

    /** Whether threads of no request may hold the object, and have changed it since the last commit looked at it. */
    boolean lent() {
        return lent;
    }

    /** Nobody used what is here now. */
    void clear() {
        use = Use.NONE;
        unsent = null;
        replaced = false;
        lent = false;
        owed = false;
        putOff = null;
        holders.sent();
    }

    /** The object that is here was lent before. */
    void lendAgain() {
        lent = true;
    }

    /** @param changeable whether the reader may change the value in place */
    void read(Holders by, boolean changeable) {
        holders.add(by);
        if (changeable) {
            lent |= by.outside();
            use = use == Use.NONE ? Use.READ : use;
        }
    }

    /** @param another whether it is another object than before */
    void write(Holders by, boolean changeable, boolean another) {
        holders.setBy(by);
        replaced |= another;
        putOff = another ? null : putOff;
        lent = changeable && (by.outside() || (lent && !another));
        holders.add(by);
        use = Use.WRITTEN;
        unsent = null;
        failures = 0;
    }

    /** As what a commit looks at the value; {@code null} if it does not. To be asked once by each commit. */
    @Nullable
    Use due() {
        owedSeen = owed;
        Use before = unsent;
        if (before == null || use == Use.WRITTEN) {
            return use == Use.NONE ? null : use;
        }
        passed++;
        boolean turn = isPutOff() || passed >= 1 << Math.min(failures - 1, MOST_DOUBLED);
        return use == Use.READ || turn ? before : null;
    }

    /** A commit was left to the next one: until that is made, the end of a request does not end the watch. */
    void owe() {
        owed = use != Use.NONE;
        owedSeen = false;
    }

    /** A commit is made: what was left to it is done. Whether something is left, as that was left after it looked. */
    boolean paid() {
        owed &= !owedSeen && use != Use.NONE;
        owedSeen = false;
        return owed;
    }

    /**
     * The object is about to be set. If this fails nothing has changed.
     *
     * @param changeable whether the former object could be changed in place
     * @param another whether it is another object than before
     */
    void replacing(Holders by, boolean changeable, boolean another) {
        if (use == Use.WRITTEN || unsent != null || (use == Use.READ && another)) {
            holders.replaced(by.request(), changeable && another);
        }
    }

    /**
     * Calls the action for the requests that may have changed what a commit sends; some of them may be over.
     *
     * @param changeable whether the object that is sent can be changed in place, and is there still
     */
    void changers(boolean changeable, LongConsumer action) {
        holders.changers(changeable, action);
    }

    /** Whether this request set the value since the last commit, or holds it; if it is 0, whether any does. */
    boolean used(long by) {
        return by == 0 ? use != Use.NONE : holders.uses(by);
    }

    /** Whether the commit of an answered request leaves the value to that of another one, which uses it now. */
    boolean leftToOthers(long answered) {
        return use == Use.READ && holders.anyUnansweredBut(answered);
    }

    /** The replica has the value; in a running request it stays under watch. */
    void committed(boolean changeable) {
        unsent = null;
        replaced = false;
        putOff = null;
        failures = 0;
        if (use == Use.WRITTEN) {
            use = changeable && (lent || owed || holders.any()) ? Use.READ : Use.NONE;
        }
        holders.sent();
    }

    /**
     * The value could not be encoded.
     *
     * @param seen as what the commit looked at it
     * @param withdrawn whether the replica has a removal in the place of an older value
     * @param failing since when it fails for a reason that may pass; {@code null} if the reason stays
     */
    void kept(Use seen, boolean withdrawn, @Nullable PutOff failing) {
        unsent = withdrawn ? Use.WRITTEN : seen;
        replaced &= !withdrawn;
        putOff = failing;
        failures = (byte) Math.min(failures + 1, MOST_DOUBLED + 1);
        passed = 0;
        if (use == Use.WRITTEN) {
            use = Use.READ;
        }
    }

    /** Whether a request that is not answered may hold the object. */
    boolean heldByRequests() {
        unwatchUnlessHeld();
        return holders.anyUnanswered();
    }

    /** Whether anybody may hold the object, or a commit has to look at it. */
    boolean inUse() {
        return lent || !none() || holders.any();
    }

    /** A request is answered: it may still change the object, but keeps others from the newest value no longer. */
    void release(long ticket) {
        holders.answered(ticket);
    }

    /** A request has ended, and holds the object no more: what nobody holds needs no more watching. */
    void unwatch(long ticket) {
        holders.over(ticket);
        unwatchUnlessHeld();
    }

    private void unwatchUnlessHeld() {
        if (use == Use.READ && !lent && !owed && !holders.any()) {
            use = Use.NONE;
        }
    }

    /** Whether a request holds it, or it has what the replica has not. */
    boolean needed() {
        return heldByRequests() || use == Use.WRITTEN || (use == Use.READ && !lent) || unsent != null;
    }

    /** The next commit compares what was lent with the baseline. */
    void watchLent() {
        if (lent && use == Use.NONE) {
            use = Use.READ;
        }
    }
}
