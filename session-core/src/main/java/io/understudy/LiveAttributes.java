package io.understudy;

import io.understudy.codec.NotDecodableException;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.StampedBytes;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a live session as one request sees them, or all do whose threads are known. Names are known without
 * decoding; a value is decoded when it is first read.
 *
 * <p>What the container keeps in a session is among them by names of its own: the application does not see it, and the
 * container, which sees nothing else, never changes it in place.
 *
 * <p>Threads: any. The compound operations of {@link ConcurrentMap} are atomic among each other, in all views.
 */
final class LiveAttributes extends AbstractMap<String, Object> implements ConcurrentMap<String, Object> {

    /** What the names of the container's begin with in the replica. */
    static final String CONTAINER = "io.understudy.container:";

    private final LiveSession session;

    /** {@link #CONTAINER}, or empty for the application's. */
    private final String prefix;

    /** Shared by all views; compound operations hold its lock. */
    private final Map<String, AttributeSlot> slots;

    private final LongSupplier ticket;

    /** @param ticket of the request that the calling thread works for; 0 if that is not known */
    LiveAttributes(LiveSession session, String prefix, Map<String, AttributeSlot> slots, LongSupplier ticket) {
        this.session = session;
        this.prefix = prefix;
        this.slots = slots;
        this.ticket = ticket;
    }

    /** The name in the replica. */
    private @Nullable String full(@Nullable Object name) {
        return name instanceof String text && (!prefix.isEmpty() || !text.startsWith(CONTAINER)) ? prefix + text : null;
    }

    private AttributeSlot slot(String name) {
        AttributeSlot slot = slots.computeIfAbsent(name, key -> new AttributeSlot());
        slot.refresh(newest(name));
        return slot;
    }

    /** Who may hold an object that is used now. */
    private Collection<Long> tickets() {
        return session.running(ticket.getAsLong());
    }

    /** A request that ended while it was noted as a holder did not see that. */
    private void noted(AttributeSlot slot, Collection<Long> tickets) {
        for (long holder : tickets) {
            if (!session.running().contains(holder)) {
                slot.unwatch(holder);
            }
        }
    }

    private @Nullable StampedBytes newest(String name) {
        SessionReplica replica = session.replica();
        return replica == null ? null : replica.attribute(name);
    }

    @Override
    public @Nullable Object get(Object name) {
        String text = full(name);
        if (text == null || !known(text)) {
            return null;
        }
        AttributeSlot slot = slot(text);
        Collection<Long> tickets = tickets();
        try {
            Object value = slot.read(session.codec(), tickets, prefix.isEmpty());
            session.quarantine().release(session.key(), text);
            if (value != null && session.activations().concern(text, value)) {
                activate(text, slot, value);
            }
            return value;
        } catch (NotDecodableException e) {
            session.quarantine().add(session.key(), text, slot.baseline(), e);
            return null;
        } finally {
            noted(slot, tickets);
        }
    }

    /** Nobody gets it before it was told. What it asks of the session meanwhile finds the lock its own. */
    private void activate(String name, AttributeSlot slot, Object value) {
        synchronized (slots) {
            if (slot.tell(value)) {
                session.activations().didActivate(name, value);
                slot.told();
            }
        }
    }

    @Override
    public boolean containsKey(Object name) {
        String text = full(name);
        return text != null && known(text) && slot(text).present();
    }

    private boolean known(String name) {
        return slots.containsKey(name) || newest(name) != null;
    }

    @Override
    public @Nullable Object put(String name, Object value) {
        Objects.requireNonNull(value, name);
        String text = full(name);
        if (text == null) {
            throw new IllegalArgumentException(
                    "expected the name of an attribute, which does not begin with " + CONTAINER + ", found " + name);
        }
        synchronized (slots) {
            Object before = get(name);
            write(text, value);
            return before;
        }
    }

    private void write(String name, @Nullable Object value) {
        AttributeSlot slot = slot(name);
        Collection<Long> tickets = tickets();
        slot.write(value, tickets);
        noted(slot, tickets);
    }

    @Override
    public @Nullable Object remove(Object name) {
        synchronized (slots) {
            String text = full(name);
            if (text == null || !known(text) || !slot(text).removable()) {
                return null;
            }
            Object before = get(name);
            write(text, null);
            return before;
        }
    }

    @Override
    public @Nullable Object putIfAbsent(String name, Object value) {
        synchronized (slots) {
            Object present = get(name);
            return present != null ? present : put(name, value);
        }
    }

    @Override
    public boolean remove(Object name, Object value) {
        synchronized (slots) {
            return Objects.equals(get(name), value) && remove(name) != null;
        }
    }

    @Override
    public @Nullable Object replace(String name, Object value) {
        synchronized (slots) {
            return containsKey(name) ? put(name, value) : null;
        }
    }

    @Override
    public boolean replace(String name, Object before, Object after) {
        synchronized (slots) {
            if (!Objects.equals(get(name), before)) {
                return false;
            }
            put(name, after);
            return true;
        }
    }

    /** The names of attributes that have a value; a snapshot. */
    private List<String> names() {
        Set<String> names = new TreeSet<>(slots.keySet());
        SessionReplica replica = session.replica();
        if (replica != null) {
            names.addAll(replica.attributes().keySet());
        }
        return names.stream()
                .filter(name -> name.startsWith(CONTAINER) != prefix.isEmpty())
                .map(name -> name.substring(prefix.length()))
                .filter(this::containsKey)
                .toList();
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        return new Entries();
    }

    @Override
    public Set<String> keySet() {
        return new Names();
    }

    /** Names without decoding a value. */
    private final class Names extends AbstractSet<String> {

        @Override
        public Iterator<String> iterator() {
            return removing(names().iterator());
        }

        @Override
        public int size() {
            return names().size();
        }

        @Override
        public boolean contains(Object name) {
            return containsKey(name);
        }

        @Override
        public boolean remove(Object name) {
            return LiveAttributes.this.remove(name) != null;
        }
    }

    private final class Entries extends AbstractSet<Entry<String, Object>> {

        @Override
        public Iterator<Entry<String, Object>> iterator() {
            List<Entry<String, Object>> entries = new java.util.ArrayList<>();
            for (String name : names()) {
                Object value = get(name);
                if (value != null) {
                    entries.add(new SimpleImmutableEntry<>(name, value));
                }
            }
            return entries.iterator();
        }

        @Override
        public int size() {
            return names().size();
        }
    }

    private Iterator<String> removing(Iterator<String> names) {
        return new Iterator<>() {
            private @Nullable String last;

            @Override
            public boolean hasNext() {
                return names.hasNext();
            }

            @Override
            public String next() {
                String name = names.next();
                last = name;
                return name;
            }

            @Override
            public void remove() {
                if (last == null) {
                    throw new IllegalStateException("no attribute to remove: next was not called");
                }
                LiveAttributes.this.remove(last);
                last = null;
            }
        };
    }
}
