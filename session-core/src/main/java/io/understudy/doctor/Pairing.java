package io.understudy.doctor;

import io.understudy.codec.classes.JdkValues;
import io.understudy.doctor.findings.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which element of a set, or key of a map, is which in its copy: the order of hash tables differs where hash codes are
 * those of identity. It also asks whether they can be found there.
 */
final class Pairing {

    /** How often two elements are tried on each other before the rest is left unpaired. */
    private static final int MAX_TRIES = 10_000;

    /** How many pairs one try looks at. */
    private static final int MAX_PAIRS = 1000;

    private static final int NONE = -1;

    private final Comparison comparison;
    private final Path path;
    private final Object original;
    private final Object copy;
    private int tries = MAX_TRIES;

    Pairing(Comparison comparison, Path path, Object original, Object copy) {
        this.comparison = comparison;
        this.path = path;
        this.original = original;
        this.copy = copy;
    }

    void sets(List<@Nullable Object> elements, List<@Nullable Object> restored) {
        int[] match = match(elements, restored, false);
        for (int i = 0; i < match.length; i++) {
            if (match[i] != NONE && !ObjectGraph.leaf(elements.get(i))) {
                comparison.expect(path.element(i), elements.get(i), restored.get(match[i]));
            }
        }
    }

    void maps(List<Map.Entry<?, ?>> entries, List<Map.Entry<?, ?>> restored) {
        List<@Nullable Object> keys = keys(entries);
        List<@Nullable Object> restoredKeys = keys(restored);
        int[] match = match(keys, restoredKeys, true);
        for (int i = 0; i < match.length; i++) {
            if (match[i] != NONE) {
                Map.Entry<?, ?> entry = restored.get(match[i]);
                if (!ObjectGraph.leaf(keys.get(i))) {
                    comparison.expect(path.key(i), keys.get(i), entry.getKey());
                }
                comparison.expect(path.value(keys.get(i), i), entries.get(i).getValue(), entry.getValue());
            }
        }
    }

    private static List<@Nullable Object> keys(List<Map.Entry<?, ?>> entries) {
        return Arrays.asList(entries.stream().map(Map.Entry::getKey).toArray());
    }

    /** For each element the place of its copy; {@link #NONE} if there is none. */
    private int[] match(List<@Nullable Object> from, List<@Nullable Object> to, boolean keys) {
        int[] match = new int[from.size()];
        Arrays.fill(match, NONE);
        boolean[] taken = new boolean[to.size()];
        Map<@Nullable Object, Integer> plain = new HashMap<>();
        for (int i = 0; i < to.size(); i++) {
            if (ObjectGraph.leaf(to.get(i))) {
                plain.put(to.get(i), i);
            }
        }
        int lost = NONE;
        for (int i = 0; i < match.length; i++) {
            Object element = from.get(i);
            Integer place = ObjectGraph.leaf(element) ? plain.get(element) : null;
            match[i] = place != null
                    ? place
                    : element == null || ObjectGraph.leaf(element) ? NONE : find(i, element, to, taken, keys);
            if (match[i] != NONE) {
                taken[match[i]] = true;
            } else if (lost == NONE) {
                lost = i;
            }
        }
        if (lost != NONE && tries > 0) {
            lost(lost, from, to, taken, keys);
        }
        return match;
    }

    /** The first that has no copy against the first that is none: the walk names where they differ. */
    private void lost(
            int index, List<@Nullable Object> from, List<@Nullable Object> to, boolean[] taken, boolean keys) {
        for (int i = 0; i < taken.length; i++) {
            if (!taken[i]) {
                comparison.expect(at(index, keys), from.get(index), to.get(i));
                return;
            }
        }
    }

    private Path at(int index, boolean keys) {
        return keys ? path.key(index) : path.element(index);
    }

    private int find(int index, Object element, List<@Nullable Object> to, boolean[] taken, boolean keys) {
        boolean own = ObjectGraph.hasEquals(element) && !JdkValues.ofJdk(element.getClass());
        for (int i = 0; i < to.size() && tries > 0; i++) {
            int place = (index + i) % to.size(); // Mostly the order is the same.
            Object candidate = to.get(place);
            if (taken[place] || candidate == null || candidate.getClass() != element.getClass()) {
                continue;
            }
            tries--;
            boolean equal = own && element.equals(candidate);
            if (equal || comparison.alike(at(index, keys), element, candidate, MAX_PAIRS)) {
                if (own) {
                    lookUp(at(index, keys), element, candidate, equal);
                }
                return place;
            }
        }
        return NONE;
    }

    /** Elements of a hash table were asked for their hash code when they were put in: to ask again changes nothing in them. */
    private void lookUp(Path at, Object element, Object restored, boolean equal) {
        if (!hashed(original) || !hashed(copy)) {
            return;
        }
        if (!contains(copy, restored)) {
            comparison.found(
                    Kind.NOT_FOUND,
                    at,
                    SafeToString.type(element),
                    contains(original, element)
                            ? "comes back, but contains does not find it in the copy"
                            : "is found neither here nor in the copy: its hash code changed after it was put in");
        } else if (equal && element.hashCode() != restored.hashCode()) {
            comparison.found(
                    Kind.NOT_FOUND,
                    at,
                    SafeToString.type(element),
                    "equals its copy, but has the hash code " + element.hashCode() + ", which comes back as "
                            + restored.hashCode());
        }
    }

    private static boolean contains(Object table, Object element) {
        return table instanceof Set<?> set ? set.contains(element) : ((Map<?, ?>) table).containsKey(element);
    }

    private static boolean hashed(Object table) {
        boolean known = table instanceof HashSet
                || table instanceof HashMap
                || table instanceof Hashtable
                || table instanceof ConcurrentHashMap
                || table instanceof ConcurrentHashMap.KeySetView;
        return known
                && JdkValues.ofJdk(ObjectGraph.declaring(
                        table.getClass(), table instanceof Set ? "contains" : "containsKey", Object.class));
    }
}
