package io.understudy;

import io.understudy.codec.NotDecodableException;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.StampedBytes;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a live session as containers see them. Names are known without decoding; a value is decoded when it is
 * first read.
 *
 * <p>Threads: any. The compound operations of {@link ConcurrentMap} are atomic among each other.
 */
final class LiveAttributes extends AbstractMap<String, Object> implements ConcurrentMap<String, Object> {

    private final LiveSession session;
    private final Map<String, AttributeSlot> slots = new ConcurrentHashMap<>();

    LiveAttributes(LiveSession session) {
        this.session = session;
    }

    Map<String, AttributeSlot> slots() {
        return slots;
    }

    private AttributeSlot slot(String name) {
        AttributeSlot slot = slots.computeIfAbsent(name, key -> new AttributeSlot());
        slot.refresh(newest(name), session.oldestTicket());
        return slot;
    }

    private @Nullable StampedBytes newest(String name) {
        SessionReplica replica = session.replica();
        return replica == null ? null : replica.attribute(name);
    }

    @Override
    public @Nullable Object get(Object name) {
        if (!(name instanceof String text) || (!slots.containsKey(text) && newest(text) == null)) {
            return null;
        }
        try {
            return slot(text).read(session.codec(), session.newestTicket());
        } catch (NotDecodableException e) {
            session.notDecodable(text, e);
            return null;
        }
    }

    @Override
    public boolean containsKey(Object name) {
        return name instanceof String text
                && (slots.containsKey(text) || newest(text) != null)
                && slot(text).present();
    }

    @Override
    public synchronized @Nullable Object put(String name, Object value) {
        Objects.requireNonNull(value, name);
        Object before = get(name);
        slot(name).write(value, session.newestTicket());
        return before;
    }

    @Override
    public synchronized @Nullable Object remove(Object name) {
        if (!(name instanceof String text) || !containsKey(text)) {
            return null;
        }
        Object before = get(text);
        slot(text).write(null, session.newestTicket());
        return before;
    }

    @Override
    public synchronized @Nullable Object putIfAbsent(String name, Object value) {
        Object present = get(name);
        return present != null ? present : put(name, value);
    }

    @Override
    public synchronized boolean remove(Object name, Object value) {
        if (!Objects.equals(get(name), value)) {
            return false;
        }
        return remove(name) != null;
    }

    @Override
    public synchronized @Nullable Object replace(String name, Object value) {
        return containsKey(name) ? put(name, value) : null;
    }

    @Override
    public synchronized boolean replace(String name, Object before, Object after) {
        if (!Objects.equals(get(name), before)) {
            return false;
        }
        put(name, after);
        return true;
    }

    /** The names of attributes that have a value; a snapshot. */
    private List<String> names() {
        Set<String> names = new TreeSet<>(slots.keySet());
        SessionReplica replica = session.replica();
        if (replica != null) {
            names.addAll(replica.attributes().keySet());
        }
        return names.stream().filter(this::containsKey).toList();
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
