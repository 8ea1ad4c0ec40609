package io.understudy.session.attributes;

import io.understudy.codec.NotDecodableException;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.StampedBytes;
import io.understudy.session.tickets.RunningTickets.Holders;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
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
 * <p>Threads: any. The compound operations of {@link ConcurrentMap} are atomic among each other, in all views; classes of the
 * application run meanwhile, and no lock is held while they do.
 */
final class LiveAttributes extends AbstractMap<String, Object> implements ConcurrentMap<String, Object> {

    /** So many of the container's names are known with what they begin with. */
    private static final int MOST_KNOWN = 64;

    private static final Map<String, String> CONTAINER_NAMES = new ConcurrentHashMap<>();

    private final AttributeOwner owner;
    private final AttributeServices services;

    /** {@link SessionReplica#CONTAINER}, or empty for the application's. */
    private final String prefix;

    /** Shared by all views. */
    private final AttributeSlots slots;

    /** The ticket of the request that the calling thread works for; 0 if it is not known. */
    private final LongSupplier ticket;

    private final boolean inPlace;

    /**
     * @param prefix {@link SessionReplica#CONTAINER}, or empty for the application's
     * @param ticket of the request that the calling thread works for; 0 if it is not known
     * @param inPlace whether that may change values in place, and keeps those that it has; else each read gives the newest
     */
    LiveAttributes(
            AttributeOwner owner,
            AttributeServices services,
            String prefix,
            AttributeSlots slots,
            LongSupplier ticket,
            boolean inPlace) {
        this.owner = owner;
        this.services = services;
        this.prefix = prefix;
        this.slots = slots;
        this.ticket = ticket;
        this.inPlace = inPlace;
    }

    /** The name in the replica. */
    private @Nullable String full(@Nullable Object name) {
        if (!(name instanceof String text)) {
            return null;
        } else if (prefix.isEmpty()) {
            return text.startsWith(SessionReplica.CONTAINER) ? null : text;
        }
        String known = CONTAINER_NAMES.get(text);
        return known != null ? known : ofContainer(text);
    }

    /** Asked for with each request, and few. */
    private static String ofContainer(String name) {
        String full = SessionReplica.CONTAINER + name;
        if (CONTAINER_NAMES.size() < MOST_KNOWN) {
            CONTAINER_NAMES.put(name, full);
        }
        return full;
    }

    /** The slot of a name, with the newest value; to be left. */
    private AttributeSlot enter(String name) {
        AttributeSlot slot = slots.enter(name);
        boolean upToDate = false;
        try {
            while (!upToDate) {
                int asOf = slot.epoch();
                StampedBytes here = slot.baseline();
                SessionReplica replica = replica();
                upToDate = replica == null
                        || replica.attributeIs(name, here == null ? null : here.stamp())
                        || slot.refresh(replica.attribute(name), asOf);
            }
        } finally {
            if (!upToDate) {
                slot.leave();
            }
        }
        return slot;
    }

    /** Who may hold an object that is used now. */
    private Holders holders() {
        return inPlace ? owner.running().holders(ticket.getAsLong()) : Holders.NOBODY;
    }

    /** Who sets an object. */
    private Holders setters() {
        return inPlace ? holders() : Holders.setter(ticket.getAsLong());
    }

    /** A request that ended while it was noted as a holder did not see that. */
    private void leave(AttributeSlot slot, Holders holders) {
        for (int i = 0; i < holders.count(); i++) {
            long holder = holders.ticket(i);
            if (!owner.running().contains(holder)) {
                slot.unwatch(holder);
            }
        }
        slot.leave();
        if (holders.outside()) {
            owner.usedOutside();
        }
    }

    /** {@code null} if nothing newer is known than what the slots hold. */
    private @Nullable SessionReplica replica() {
        SessionReplica replica = owner.replica();
        return replica != null ? replica : owner.fetched();
    }

    @Override
    public @Nullable Object get(Object name) {
        String text = full(name);
        if (text == null || !known(text)) {
            return null;
        }
        AttributeSlot slot = enter(text);
        Holders holders = holders();
        try {
            return read(text, slot, holders);
        } finally {
            leave(slot, holders);
        }
    }

    private @Nullable Object read(String name, AttributeSlot slot, Holders holders) {
        try {
            Object value = slot.read(services.codec(), holders, inPlace);
            services.quarantine().release(owner.key(), name);
            if (value != null && owner.events().concern(name, value)) {
                activate(name, slot, value);
            }
            return value;
        } catch (NotDecodableException e) {
            services.quarantine().add(owner.key(), name, slot.baseline(), e);
            return null;
        }
    }

    /**
     * Nobody gets it before it was told. Its listener may do to the session whatever it likes, so no lock is held here; and
     * who is in the middle of telling, or of a commit, waits for nobody else's.
     */
    private void activate(String name, AttributeSlot slot, Object value) {
        Telling mine = slot.tell(value);
        if (mine != null) {
            try {
                owner.events().didActivate(name, value);
            } finally {
                slot.told(mine);
            }
            return;
        }
        Telling other = slot.telling(value);
        if (other != null && owner.mayWait()) {
            other.await();
        }
    }

    @Override
    public boolean containsKey(Object name) {
        String text = full(name);
        if (text == null || !known(text)) {
            return false;
        }
        AttributeSlot slot = enter(text);
        try {
            if (slot.present() && !services.quarantine().holds(owner.key(), text, slot.baseline())) {
                return true;
            }
            if (!slot.removable()) {
                return false;
            }
        } finally {
            slot.leave();
        }
        return get(name)
                != null; // It could not be decoded: it is tried again, as for a request that asks for its value.
    }

    private boolean known(String name) {
        if (slots.has(name)) {
            return true;
        }
        SessionReplica replica = replica();
        return replica != null && !replica.attributeIs(name, null);
    }

    @Override
    public @Nullable Object put(String name, Object value) {
        String text = writable(name, value);
        while (true) {
            AttributeSlot slot = enter(text);
            Holders holders = setters();
            try {
                Object before = read(text, slot, holders);
                if (replace(slot, before, value, holders)) {
                    return before;
                }
            } finally {
                leave(slot, holders);
            }
        }
    }

    private String writable(String name, Object value) {
        Objects.requireNonNull(value, name);
        String text = full(name);
        if (text == null) {
            throw new IllegalArgumentException("expected the name of an attribute, which does not begin with "
                    + SessionReplica.CONTAINER + ", found " + name);
        }
        return text;
    }

    /** @return false, and nothing happens, if the attribute has another value than {@code before} by now */
    private boolean write(String name, @Nullable Object before, @Nullable Object value) {
        AttributeSlot slot = enter(name);
        Holders holders = setters();
        try {
            return replace(slot, before, value, holders);
        } finally {
            leave(slot, holders);
        }
    }

    private boolean replace(AttributeSlot slot, @Nullable Object before, @Nullable Object value, Holders holders) {
        boolean changeable = inPlace && value != null && !services.codec().immutable(value);
        return slot.replace(before, value, holders, changeable);
    }

    @Override
    public @Nullable Object remove(Object name) {
        String text = full(name);
        while (text != null && known(text) && removable(text)) {
            Object before = get(name);
            if (write(text, before, null)) {
                return before;
            }
        }
        return null;
    }

    private boolean removable(String name) {
        AttributeSlot slot = enter(name);
        try {
            return slot.removable();
        } finally {
            slot.leave();
        }
    }

    @Override
    public @Nullable Object putIfAbsent(String name, Object value) {
        String text = writable(name, value);
        Object present = get(name);
        while (present == null && !write(text, null, value)) {
            present = get(name);
        }
        return present;
    }

    @Override
    public boolean remove(Object name, Object value) {
        String text = full(name);
        Object before = get(name);
        while (text != null && before != null && before.equals(value)) {
            if (write(text, before, null)) {
                return true;
            }
            before = get(name);
        }
        return false;
    }

    @Override
    public @Nullable Object replace(String name, Object value) {
        Objects.requireNonNull(value, name);
        String text = full(name);
        while (text != null && containsKey(name)) {
            Object before = get(name);
            if (write(text, before, value)) {
                return before;
            }
        }
        return null;
    }

    @Override
    public boolean replace(String name, Object before, Object after) {
        Objects.requireNonNull(after, name);
        String text = full(name);
        Object present = get(name);
        while (text != null && present != null && present.equals(before)) {
            if (write(text, present, after)) {
                return true;
            }
            present = get(name);
        }
        return false;
    }

    /** The names of attributes that have a value; a snapshot. */
    private List<String> names() {
        Set<String> names = new TreeSet<>(slots.names());
        SessionReplica replica = replica();
        if (replica != null) {
            names.addAll(replica.attributes().keySet());
        }
        return names.stream()
                .filter(name -> name.startsWith(SessionReplica.CONTAINER) != prefix.isEmpty())
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
