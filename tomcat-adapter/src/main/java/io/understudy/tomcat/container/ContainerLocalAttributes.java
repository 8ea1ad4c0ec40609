package io.understudy.tomcat.container;

import java.util.AbstractMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A session's attributes, some of which stay on this node: those of Tomcat's own {@code CrawlerSessionManagerValve}, what closes
 * the session's web sockets, and what {@code sessionAttributeNameFilter} or {@code sessionAttributeValueClassNameFilter} exclude
 * when it is set. The rest is in the replicated map.
 *
 * <p>Threads: any. A name that moves between the two while another thread sets it may lose one of the two values, as
 * with any two unordered writes.
 */
public final class ContainerLocalAttributes extends AbstractMap<String, Object>
        implements ConcurrentMap<String, Object> {

    private final ConcurrentMap<String, Object> local = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Object> replicated;
    private final BiPredicate<String, Object> excluded;

    public ContainerLocalAttributes(ConcurrentMap<String, Object> replicated, BiPredicate<String, Object> excluded) {
        this.replicated = replicated;
        this.excluded = excluded;
    }

    /** Whether none stays on this node. */
    public boolean allReplicated() {
        return local.isEmpty();
    }

    /** What stays on this node, which is not here any more then. */
    public Map<String, Object> takeLocal() {
        Map<String, Object> taken = new HashMap<>();
        local.forEach((name, value) -> {
            if (local.remove(name, value)) {
                taken.put(name, value);
            }
        });
        return taken;
    }

    @Override
    public @Nullable Object get(Object name) {
        Object value = local.get(name);
        return value != null ? value : replicated.get(name);
    }

    @Override
    public boolean containsKey(Object name) {
        return local.containsKey(name) || replicated.containsKey(name);
    }

    @Override
    public @Nullable Object put(String name, Object value) {
        boolean stays = excluded.test(name, value);
        Object other = (stays ? replicated : local).remove(name);
        Object previous = (stays ? local : replicated).put(name, value);
        return other != null ? other : previous;
    }

    @Override
    public @Nullable Object remove(Object name) {
        Object value = local.remove(name);
        Object other = replicated.remove(name);
        return value != null ? value : other;
    }

    @Override
    public synchronized @Nullable Object putIfAbsent(String name, Object value) {
        Object present = get(name);
        return present != null ? present : put(name, value);
    }

    @Override
    public synchronized boolean remove(Object name, Object value) {
        return Objects.equals(get(name), value) && remove(name) != null;
    }

    @Override
    public synchronized boolean replace(String name, Object before, Object after) {
        return Objects.equals(get(name), before) && put(name, after) != null;
    }

    @Override
    public synchronized @Nullable Object replace(String name, Object value) {
        return containsKey(name) ? put(name, value) : null;
    }

    /** A snapshot. */
    @Override
    public Set<String> keySet() {
        Set<String> names = new HashSet<>(replicated.keySet());
        names.addAll(local.keySet());
        return names;
    }

    /** A snapshot, which decodes all attributes. */
    @Override
    public Set<Entry<String, Object>> entrySet() {
        Map<String, Object> snapshot = new HashMap<>();
        for (String name : keySet()) {
            Object value = get(name);
            if (value != null) {
                snapshot.put(name, value);
            }
        }
        return snapshot.entrySet();
    }
}
