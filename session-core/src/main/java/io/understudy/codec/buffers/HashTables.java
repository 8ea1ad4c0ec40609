package io.understudy.codec.buffers;

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * Hash tables go through their elements in the order of hash codes. Those of {@link Object#hashCode} are other ones in each
 * copy, so the bytes of two copies differ although nothing was changed.
 */
public final class HashTables {

    private HashTables() {}

    /** Whether this is a class of such tables, as far as the class shows it. */
    public static boolean isOne(Class<?> type) {
        boolean ordered = SortedMap.class.isAssignableFrom(type)
                || SortedSet.class.isAssignableFrom(type)
                || LinkedHashMap.class.isAssignableFrom(type)
                || LinkedHashSet.class.isAssignableFrom(type);
        return !ordered && (Map.class.isAssignableFrom(type) || Set.class.isAssignableFrom(type));
    }

    /** Whether a copy of this table may have another order: only of what can't change it is known that hash codes are the same. */
    public static boolean reordered(Object table) {
        Collection<?> elements = table instanceof Map<?, ?> map ? map.keySet() : (Collection<?>) table;
        return elements.size() > 1
                && (table instanceof IdentityHashMap || !elements.stream().allMatch(Immutables::immutable));
    }
}
