package io.understudy.session.attributes;

import io.understudy.config.session.OnNotReplicable;
import io.understudy.doctor.SessionDoctor;
import io.understudy.replica.SessionReplica;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one live session: the views that requests and the container have of them, and what its commits find.
 *
 * <p>Threads: any; the commits of a session are made one after the other.
 */
public final class SessionAttributes {

    private final AttributeServices services;
    private final AttributeOwner owner;
    private final AttributeSlots slots;
    private final LiveAttributes application;
    private final LiveAttributes unchanging;
    private final LiveAttributes container;

    /** {@code null} if attributes that can't be replicated may be set. */
    private final @Nullable SetAttributeCheck check;

    /** @param ticket of the request that the calling thread works for; 0 if that is not known */
    public SessionAttributes(
            AttributeServices services, AttributeOwner owner, AttributeSlots slots, LongSupplier ticket) {
        this.services = services;
        this.owner = owner;
        this.slots = slots;
        this.application = new LiveAttributes(owner, services, "", slots, ticket, true);
        this.unchanging = new LiveAttributes(owner, services, "", slots, ticket, false);
        this.container = new LiveAttributes(owner, services, SessionReplica.CONTAINER, slots, ticket, false);
        this.check = services.onNotReplicable() == OnNotReplicable.FAIL
                ? new SetAttributeCheck(services, owner, slots)
                : null;
    }

    /** As the request sees them that the calling thread works for. */
    public ConcurrentMap<String, Object> application() {
        return application;
    }

    /** As the request with this ticket sees them. */
    public ConcurrentMap<String, Object> application(long ticket) {
        return new LiveAttributes(owner, services, "", slots, () -> ticket, true);
    }

    /** The application's, of which nobody changes values in place. */
    public ConcurrentMap<String, Object> unchanging() {
        return unchanging;
    }

    /** What the container keeps in the session. */
    public ConcurrentMap<String, Object> container() {
        return container;
    }

    /**
     * Checks a value that is about to be set.
     *
     * @throws IllegalArgumentException if it can't be replicated, and must be, with the reason
     */
    public void check(String name, Object value) {
        if (check != null) {
            check.check(name, value);
        }
    }

    /**
     * The changes since the last commit. To be closed, committed or not.
     *
     * @param own the ticket of the commit's request; 0 if it has none, or has ended
     * @param answered whether the response of that request has left
     */
    public AttributeChanges changes(SessionReplica replica, long own, boolean answered) {
        return AttributeChanges.find(services, owner, replica, slots, own, answered);
    }

    /** All changes are merged here. Slots of attributes that were removed go. */
    public void committed(AttributeChanges changes) {
        changes.committed();
        if (check != null) {
            check.committed();
        }
        slots.letGoOfRemoved(changes.replica());
    }

    /**
     * What a request used, as the doctor is going to look at it when the request has ended.
     *
     * @param entered how many requests have begun to use the session
     */
    public Runnable visit(SessionDoctor doctor, LongSupplier entered) {
        return new DoctorVisit(doctor, owner, slots, entered);
    }
}
