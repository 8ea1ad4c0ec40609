package io.understudy.session.attributes;

import io.understudy.replica.SessionReplica;
import io.understudy.session.tickets.RunningTickets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one live session, by the names of the attributes. An attribute has one from its first use here until it is
 * let go: the replica has all that is needed to make it again.
 *
 * <p>Threads: any. Nothing here waits, nor runs classes of the application.
 */
public final class AttributeSlots implements Predicate<String> {

    /** Heap of a slot beside its object, with its place here; see docs/design/memory.md. */
    private static final int SLOT_BYTES = 410;

    private final ConcurrentMap<String, AttributeSlot> slots = new ConcurrentHashMap<>();

    private final BusySlots busy = new BusySlots();

    /** Whether there was ever one of the container's attributes: each request asks for those, and most sessions have none. */
    private volatile boolean ofContainer;

    /** Whether a commit was left to the next one since one was made. */
    private volatile boolean owing;

    /** Heap of the slots' objects, by estimate. */
    private final AtomicLong objectBytes = new AtomicLong();

    private final RunningTickets running;

    /** @param running the requests that can hold an object */
    public AttributeSlots(RunningTickets running) {
        this.running = running;
    }

    /** The slot of a name, to be {@linkplain AttributeSlot#leave left}: it does not go before. */
    AttributeSlot enter(String name) {
        while (true) {
            AttributeSlot there = slots.get(name); // Mostly, and without a lock.
            AttributeSlot slot = there != null ? there : slots.computeIfAbsent(name, this::slot);
            if (slot.enter(name, busy)) {
                return slot;
            }
            remove(name, slot, true);
        }
    }

    private AttributeSlot slot(String name) {
        if (name.startsWith(SessionReplica.CONTAINER)) {
            ofContainer = true; // Before the slot is there.
        }
        return new AttributeSlot(running, objectBytes);
    }

    /** Whether an attribute has a value that could not be encoded. */
    @Override
    public boolean test(String name) {
        AttributeSlot slot = get(name);
        return slot != null && slot.look().again();
    }

    /** The slot as it is; {@code null} if the attribute has none. */
    @Nullable
    AttributeSlot get(String name) {
        return slots.get(name);
    }

    public boolean isEmpty() {
        return slots.isEmpty();
    }

    /** Heap that the slots and their objects take, by estimate; for each end of a request. */
    public long heapBytes() {
        return objectBytes.get() + (long) SLOT_BYTES * slots.size();
    }

    /** Whether other nodes may have an older state of a value that could not be encoded. */
    public boolean putOff() {
        for (AttributeSlot slot : slots.values()) {
            if (slot.putOff()) {
                return true;
            }
        }
        return false;
    }

    boolean has(String name) {
        return (ofContainer || !name.startsWith(SessionReplica.CONTAINER)) && slots.containsKey(name);
    }

    Set<String> names() {
        return slots.keySet();
    }

    void forEach(BiConsumer<String, AttributeSlot> action) {
        slots.forEach(action);
    }

    /** All slots that a commit may have to look at. */
    void forEachBusy(BiConsumer<String, AttributeSlot> action) {
        busy.forEach(action);
    }

    /** A request is answered, see {@link AttributeSlot#release}. */
    public void release(long ticket) {
        busy.forEach((name, slot) -> slot.release(ticket));
    }

    /** A request has ended, and holds no object any more. Slots of attributes that were removed go. */
    public void unwatch(long ticket) {
        busy.forEach((name, slot) -> {
            slot.unwatch(ticket);
            remove(name, slot, slot.settle(name, busy));
        });
    }

    /** A commit was not made: what requests read and may have changed in place is looked at by the next one, also after their end. */
    public void owe() {
        try {
            busy.forEach((name, slot) -> slot.owe());
        } finally {
            owing = true; // Last: a commit that is made meanwhile has not looked at all of them.
        }
    }

    /** A commit is made. */
    void paid() {
        if (owing) {
            owing = false;
            busy.forEach((name, slot) -> {
                if (slot.paid()) {
                    owing = true; // That was left after this commit had looked.
                }
            });
        }
    }

    /** A commit is about to look at slots; {@link #committed} is to follow. */
    void committing() {
        busy.committing(true);
    }

    /** No commit is made any more. */
    void committed() {
        busy.committing(false);
    }

    /** Lets go of attributes that were removed, here or on another node, and that nobody holds. */
    void letGoOfRemoved(SessionReplica replica) {
        long removal = replica.lastRemovalTime();
        if (busy.knows(removal)) {
            busy.forEach((name, slot) -> remove(name, slot, slot.letGoIfRemoved(name, replica, busy, removal)));
            return;
        }
        busy.looking(); // What fails before the end is done by the next commit.
        slots.forEach((name, slot) -> remove(name, slot, slot.letGoIfRemoved(name, replica, busy, removal)));
        busy.looked(removal);
    }

    /**
     * Lets go of all objects and bytes that nobody holds and that the replica has.
     *
     * @return whether some are left that were {@linkplain AttributeSlot#lent lent}
     */
    public boolean letGo() {
        boolean[] left = new boolean[1];
        slots.forEach((name, slot) -> {
            remove(name, slot, slot.letGo());
            left[0] |= slot.lent();
        });
        return left[0];
    }

    /** Whether threads of no request may hold objects, and change them. */
    public boolean lent() {
        boolean[] any = new boolean[1];
        busy.forEach((name, slot) -> any[0] |= slot.lent());
        return any[0];
    }

    /** Has the next commit look at what was lent: somebody may have changed it in place. */
    public void watchLent() {
        slots.values().forEach(AttributeSlot::watchLent);
    }

    /** Lets go of what was lent, too: a commit has just looked at it. */
    public void letGoOfLent() {
        slots.forEach((name, slot) -> remove(name, slot, slot.letGoOfLent()));
    }

    /** Whether the calling thread is telling an attribute. */
    public boolean toldByThisThread() {
        for (AttributeSlot slot : slots.values()) {
            if (slot.toldByThisThread()) {
                return true;
            }
        }
        return false;
    }

    private void remove(String name, AttributeSlot slot, boolean gone) {
        if (gone) {
            slots.remove(name, slot);
            busy.remove(name, slot);
        }
    }
}
