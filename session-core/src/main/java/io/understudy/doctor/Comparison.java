package io.understudy.doctor;

import io.understudy.codec.classes.JdkValues;
import io.understudy.doctor.findings.Kind;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * An object and its copy, walked side by side: from the attribute outwards, so that what is found has the shortest path.
 *
 * <p>Threads: one.
 */
final class Comparison {

    /** Pairs that are looked at in one attribute. */
    static final int MAX_PAIRS = 100_000;

    /** What one attribute may have of different causes before the rest is left for when they are mended. */
    private static final int MAX_SYMPTOMS = 10;

    private record Pair(
            Path path, @Nullable Object original, @Nullable Object copy) {}

    private final Deque<Pair> open = new ArrayDeque<>();
    private final IdentityHashMap<Object, Object> copies = new IdentityHashMap<>();
    private final Map<String, Symptom> symptoms = new LinkedHashMap<>();
    private final @Nullable Comparison outer;
    private int left;

    /** @param outer what this is a trial of: its pairs hold here, too */
    private Comparison(@Nullable Comparison outer, int pairs) {
        this.outer = outer;
        this.left = pairs;
    }

    /** What is different in the copy; only the first of each cause. */
    static List<Symptom> of(GraphNode original, Object copy) {
        Comparison comparison = new Comparison(null, MAX_PAIRS);
        comparison.expect(original.path(), original.value(), copy);
        comparison.run();
        return List.copyOf(comparison.symptoms.values());
    }

    /** Whether the two are alike but for transient fields, as far as a walk over so many pairs can see. */
    boolean alike(Path path, Object original, Object copy, int pairs) {
        Comparison trial = new Comparison(this, pairs);
        trial.expect(path, original, copy);
        trial.run();
        return trial.open.isEmpty() && trial.symptoms.values().stream().allMatch(Comparison::note);
    }

    private static boolean note(Symptom symptom) {
        return symptom.kind() == Kind.TRANSIENT;
    }

    void expect(Path path, @Nullable Object original, @Nullable Object copy) {
        open.add(new Pair(path, original, copy));
    }

    void found(Kind kind, Path path, String type, String text) {
        Symptom symptom = new Symptom(kind, path, type, text);
        symptoms.putIfAbsent(symptom.cause(), symptom);
    }

    private void run() {
        while (!open.isEmpty() && left > 0 && symptoms.size() < MAX_SYMPTOMS) {
            left--;
            Pair pair = open.remove();
            compare(pair.path(), pair.original(), pair.copy());
        }
    }

    private @Nullable Object copyOf(Object original) {
        Object copy = copies.get(original);
        return copy == null && outer != null ? outer.copyOf(original) : copy;
    }

    private void compare(Path path, @Nullable Object original, @Nullable Object copy) {
        if (same(original, copy)) {
            return;
        }
        if (original == null || copy == null || ObjectGraph.leaf(original) || ObjectGraph.leaf(copy)) {
            plain(path, original, copy, null);
            return;
        }
        if (original.getClass().isHidden() && copy.getClass().isHidden()) {
            return; // Lambdas: each reading may make a class of its own.
        }
        Object known = copyOf(original);
        if (known != null) {
            if (!same(known, copy) && !Immutability.holder(original)) {
                found(
                        Kind.SPLIT,
                        path,
                        SafeToString.type(original),
                        "is one object with another place of the attribute, comes back as two");
            }
            return;
        }
        copies.put(original, copy);
        if (original.getClass() != copy.getClass() && !JdkValues.ofJdk(original.getClass())) {
            different(path, original, copy, SafeToString.type(original));
        } else if (original.getClass().isArray() && !(original instanceof Object[])) {
            numbers(path, original, copy);
        } else {
            contents(path, original, copy);
        }
    }

    @SuppressWarnings("ReferenceEquality") // Identity is what is looked for.
    private static boolean same(@Nullable Object one, @Nullable Object other) {
        return one == other;
    }

    /** @param owner whose field it is, if it is one: that tells more than the class of a plain value */
    private void plain(Path path, @Nullable Object original, @Nullable Object copy, @Nullable Class<?> owner) {
        Object one = original != null ? original : copy;
        if (one != null && (original == null || !ObjectGraph.leaf(original) || !original.equals(copy))) {
            different(path, original, copy, owner == null ? SafeToString.type(one) : owner.getTypeName());
        }
    }

    private void different(Path path, @Nullable Object original, @Nullable Object copy, String type) {
        found(
                Kind.DIFFERENT,
                path,
                type,
                "was " + SafeToString.value(original) + ", comes back as " + SafeToString.value(copy));
    }

    private void numbers(Path path, Object original, Object copy) {
        if (Arrays.deepEquals(new Object[] {original}, new Object[] {copy})) {
            return;
        }
        int length = Array.getLength(original);
        if (sizes(path, original, length, Array.getLength(copy))) {
            for (int i = 0; i < length && symptoms.size() < MAX_SYMPTOMS; i++) {
                compare(path.element(i), Array.get(original, i), Array.get(copy, i));
            }
        }
    }

    private boolean sizes(Path path, Object owner, int original, int copy) {
        if (original != copy) {
            found(
                    Kind.DIFFERENT,
                    path,
                    SafeToString.type(owner),
                    "had " + original + " elements, comes back with " + copy);
        }
        return original == copy;
    }

    private void contents(Path path, Object original, Object copy) {
        List<@Nullable Object> elements = ObjectGraph.elements(original);
        List<@Nullable Object> restored = ObjectGraph.elements(copy);
        List<Map.Entry<?, ?>> entries = ObjectGraph.entries(original);
        List<Map.Entry<?, ?>> restoredEntries = ObjectGraph.entries(copy);
        if (elements != null && restored != null) {
            elements(path, original, copy, elements, restored);
        } else if (entries != null && restoredEntries != null) {
            entries(path, original, copy, entries, restoredEntries);
        } else if (Opaque.differs(original, copy)) {
            found(Kind.DIFFERENT, path, SafeToString.type(original), "comes back unequal");
        } else {
            parts(path, original, copy);
        }
        if (original.getClass() == copy.getClass()) {
            fields(path, original, copy);
        }
    }

    private void elements(
            Path path, Object original, Object copy, List<@Nullable Object> elements, List<@Nullable Object> restored) {
        sizes(path, original, elements.size(), restored.size());
        if (original instanceof Set && !(original instanceof SortedSet)) {
            new Pairing(this, path, original, copy).sets(elements, restored);
            return;
        }
        for (int i = 0; i < Math.min(elements.size(), restored.size()); i++) {
            expect(path.element(i), elements.get(i), restored.get(i));
        }
    }

    private void entries(
            Path path, Object original, Object copy, List<Map.Entry<?, ?>> entries, List<Map.Entry<?, ?>> restored) {
        sizes(path, original, entries.size(), restored.size());
        if (original instanceof SortedMap) {
            for (int i = 0; i < Math.min(entries.size(), restored.size()); i++) {
                expect(path.key(i), entries.get(i).getKey(), restored.get(i).getKey());
                expect(
                        path.value(entries.get(i).getKey(), i),
                        entries.get(i).getValue(),
                        restored.get(i).getValue());
            }
        } else if (!(original instanceof IdentityHashMap)) {
            new Pairing(this, path, original, copy).maps(entries, restored);
        }
    }

    /** What an object of the JDK holds of the application's. */
    private void parts(Path path, Object original, Object copy) {
        if (!JdkValues.ofJdk(original.getClass()) && !java.lang.reflect.Proxy.isProxyClass(original.getClass())) {
            return;
        }
        List<GraphNode> parts = ObjectGraph.parts(new GraphNode(path, original));
        List<GraphNode> restored = ObjectGraph.parts(new GraphNode(path, copy));
        if (sizes(path, original, parts.size(), restored.size())) {
            for (int i = 0; i < parts.size(); i++) {
                expect(
                        parts.get(i).path(),
                        parts.get(i).value(),
                        restored.get(i).value());
            }
        }
    }

    private void fields(Path path, Object original, Object copy) {
        boolean ownForm = (original instanceof Collection && ObjectGraph.elements(original) == null)
                || (original instanceof Map && ObjectGraph.entries(original) == null);
        if (ownForm) {
            ownForm(path, original, copy);
            return;
        }
        for (Field field : ObjectGraph.fields(original.getClass())) {
            field(path.field(field.getName()), field, original, copy);
        }
    }

    private void field(Path path, Field field, Object original, Object copy) {
        Object value = ObjectGraph.value(field, original);
        Object restored = ObjectGraph.value(field, copy);
        if (!ObjectGraph.isTransient(field)) {
            if (value == null || restored == null || ObjectGraph.leaf(value)) {
                plain(path, value, restored, field.getDeclaringClass());
            } else {
                expect(path, value, restored);
            }
        } else if (value != null && restored == null) {
            found(
                    Kind.TRANSIENT,
                    path,
                    field.getDeclaringClass().getTypeName(),
                    "is transient: " + SafeToString.value(value) + " here, null on other nodes");
        }
    }

    /** A collection of the application's: its inner tables may differ, and then its equals has the word. */
    private void ownForm(Path path, Object original, Object copy) {
        Comparison trial = new Comparison(this, left);
        for (Field field : ObjectGraph.fields(original.getClass())) {
            trial.field(path.field(field.getName()), field, original, copy);
        }
        trial.run();
        copies.putAll(trial.copies);
        if (trial.symptoms.values().stream().allMatch(Comparison::note) || !original.equals(copy)) {
            symptoms.putAll(trial.symptoms);
        }
    }
}
