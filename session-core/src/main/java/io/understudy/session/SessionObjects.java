package io.understudy.session;

import io.understudy.session.attributes.AttributeSlots;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a node has of a session beside its replica: those of attributes, and the container's session object.
 *
 * <p>Threads: any.
 */
public final class SessionObjects {

    /** Heap of a live session with the container's object, but for its slots; see docs/design/memory.md. */
    private static final int SESSION_BYTES = 2000;

    private final LiveSession session;
    private final AttributeSlots slots;
    private final SessionCommits commits;
    private final IdleSessions idle;
    private final IdleSessions.Place place;

    /** The container's, which refers to the session: both are there, or none. */
    private volatile @Nullable Object container;

    SessionObjects(LiveSession session, AttributeSlots slots, SessionCommits commits, IdleSessions idle) {
        this.session = session;
        this.slots = slots;
        this.commits = commits;
        this.idle = idle;
        this.place = new IdleSessions.Place(session);
    }

    /**
     * The container's session object. It is there while the container or the application holds it, so that the next
     * look-up finds the same object.
     *
     * @see ReplicatedSessions#objectsGoBy
     */
    public @Nullable Object container() {
        return container;
    }

    /** To be called when the container has made its session object, and when it takes back one that it dropped. */
    public void container(Object held) {
        used();
        container = held;
    }

    /**
     * To be called when the container drops its session object at the end of a request. Later requests find the same
     * session until the changes that are under way are decided, and wait for them.
     */
    public void dropped() {
        commits.last().keepsUntilDecided(session);
    }

    /**
     * Whether an object of an attribute may be changed in place without another call of the session: by a request that
     * runs, or by a thread of no request that was given it.
     */
    public boolean changing() {
        return session.inUse() || slots.lent();
    }

    /** Whether they count among these: each deployment of an application has its own. */
    boolean countedIn(IdleSessions sessions) {
        return idle == sessions;
    }

    /** A use of them ends. The calling thread may hold locks. */
    void used() {
        idle.used(place, heapBytes());
    }

    private long heapBytes() {
        return SESSION_BYTES + slots.heapBytes();
    }

    /**
     * Lets go of attributes that no request holds: the next read makes them again from the replica.
     *
     * @return whether some are left for {@link #letGoOfLent}
     */
    boolean letGo() {
        boolean left = slots.letGo();
        idle.lessened(place, heapBytes());
        return left;
    }

    /** Lets go of attributes that threads of no request used, too, unless a request runs. */
    void letGoOfLent() {
        if (!session.inUse()) {
            commits.letGoOfLent();
        }
    }

    /**
     * Commits once more what a commit put off, or left, unless a request runs: its own commit does so.
     *
     * @return whether something is still left
     */
    boolean tryAgain() {
        if (!session.inUse()) {
            commits.tryAgain();
        }
        return session.valid() && (slots.putOff() || commits.left());
    }

    /** Whether all there is to the session is in its replica, and neither a request nor a listener uses it. */
    boolean idle() {
        return !session.inUse() && !session.endedElsewhere() && slots.isEmpty() && !commits.waiting();
    }
}
