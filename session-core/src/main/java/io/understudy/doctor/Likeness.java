package io.understudy.doctor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The objects of an attribute as they are at one moment, described without their classes. A likeness can be compared with
 * one of a later time, of another node, or of another class loader.
 *
 * <p>It has the fields of the application's objects, of transient ones only their own value, and the contents of collections, maps and arrays.
 * The order of hash tables does not matter, and neither does the JDK's class of a collection. It holds no object of the
 * application.
 *
 * <p>Threads: immutable. What other threads change while it is made may be seen in part.
 */
public final class Likeness {

    /** Differences that are listed. */
    private static final int MAX_DIFFERENCES = 100;

    /** Characters that are shown before the first that differs. */
    private static final int BEFORE = 10;

    /**
     * One place that is not the same.
     *
     * @param path of the place, such as {@code cart.items[2].price}
     * @param pattern the path without indices and keys, such as {@code cart.items[].price}
     * @param expected the value, a number of characters at most, or the class of an object
     * @param actual the same of the other likeness
     * @param inTransient whether the place is in a transient field
     */
    public record Difference(String path, String pattern, String expected, String actual, boolean inTransient) {}

    private record Pair(Path path, Form expected, Form actual, boolean inTransient) {}

    private final String attribute;
    private final Form form;

    private Likeness(String attribute, Form form) {
        this.attribute = attribute;
        this.form = form;
    }

    /**
     * Describes an attribute's value. Reads fields, and iterates collections; 20,000 objects at most.
     *
     * @param attribute the attribute's name
     */
    public static Likeness of(String attribute, Object value) {
        return new Likeness(attribute, new Portrait().of(value));
    }

    /** Where the other likeness differs, the shortest paths first; 100 places at most. */
    public List<Difference> differences(Likeness actual) {
        List<Difference> differences = new ArrayList<>();
        IdentityHashMap<Form, Form> compared = new IdentityHashMap<>();
        Deque<Pair> open = new ArrayDeque<>();
        open.add(new Pair(Path.attribute(attribute), form, actual.form, false));
        while (!open.isEmpty() && differences.size() < MAX_DIFFERENCES) {
            Pair pair = open.remove();
            if (!same(compared.put(pair.expected, pair.actual), pair.actual)) {
                compare(pair, open, differences);
            }
        }
        return differences;
    }

    @SuppressWarnings("ReferenceEquality") // A pair that was compared before.
    private static boolean same(@Nullable Form one, Form other) {
        return one == other;
    }

    private static void compare(Pair pair, Deque<Pair> open, List<Difference> differences) {
        Form expected = pair.expected();
        Form actual = pair.actual();
        if (!expected.type().equals(actual.type()) || !Objects.equals(expected.text(), actual.text())) {
            differences.add(
                    difference(pair.path(), shown(expected, actual), shown(actual, expected), pair.inTransient()));
            return;
        }
        Set<String> ids = new LinkedHashSet<>(expected.members().keySet());
        ids.addAll(actual.members().keySet());
        for (String id : ids) {
            Form.Member one = expected.members().get(id);
            Form.Member other = actual.members().get(id);
            Form.Member any = one == null ? Objects.requireNonNull(other) : one;
            Path path = pair.path().then(any.step(), any.pattern());
            boolean inTransient = pair.inTransient() || any.inTransient();
            if (one == null || other == null) {
                differences.add(difference(path, shown(one), shown(other), inTransient));
            } else {
                open.add(new Pair(path, one.form(), other.form(), inTransient));
            }
        }
    }

    private static String shown(Form.@Nullable Member member) {
        return member == null ? "nothing" : member.form().shown();
    }

    /** Values that look the same are shown from where they begin to differ. */
    private static String shown(Form form, Form other) {
        String text = form.text();
        String unlike = other.text();
        if (text == null || unlike == null || !form.shown().equals(other.shown())) {
            return form.shown();
        }
        int at = 0;
        while (at < Math.min(text.length(), unlike.length()) && text.charAt(at) == unlike.charAt(at)) {
            at++;
        }
        return "..." + SafeToString.value(text.substring(Math.max(0, at - BEFORE)));
    }

    /** The value, a number of characters at most, or the class of an object. */
    @Override
    public String toString() {
        return form.shown();
    }

    private static Difference difference(Path path, String expected, String actual, boolean inTransient) {
        return new Difference(path.toString(), path.pattern(), expected, actual, inTransient);
    }
}
