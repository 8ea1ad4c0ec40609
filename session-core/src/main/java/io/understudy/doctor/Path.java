package io.understudy.doctor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way to an object from its attribute on: {@code cart.items[3].price}. */
final class Path {

    /** How many steps are shown at the beginning, and at the end; those between are counted. */
    private static final int SHOWN = 6;

    private final @Nullable Path parent;
    private final String step;

    /** The same for all elements of a collection, and all keys of a map. */
    private final String pattern;

    private final int length;

    private Path(@Nullable Path parent, String step, String pattern) {
        this.parent = parent;
        this.step = step;
        this.pattern = pattern;
        this.length = parent == null ? 1 : parent.length + 1;
    }

    static Path attribute(String name) {
        return new Path(null, name, name);
    }

    Path field(String name) {
        return new Path(this, "." + name, "." + name);
    }

    Path element(int index) {
        return new Path(this, "[" + index + "]", "[]");
    }

    /** The value of a map's key; of a key that is no plain value, its place in the order of iteration is shown. */
    Path value(@Nullable Object key, int index) {
        boolean plain = ObjectGraph.leaf(key);
        return new Path(this, "[" + (plain ? SafeToString.value(key) : "key " + index) + "]", "[]");
    }

    /** A map's key itself. */
    Path key(int index) {
        return new Path(this, ".keys[" + index + "]", ".keys[]");
    }

    /** One step further, as it was shown before. */
    Path then(String nextStep, String nextPattern) {
        return new Path(this, nextStep, nextPattern);
    }

    /** The name of the attribute that it begins with. */
    String attribute() {
        Path at = this;
        while (at.parent != null) {
            at = at.parent;
        }
        return at.step;
    }

    /** How many steps it has, with the attribute. */
    int length() {
        return length;
    }

    /** Without indices and keys, and of steps that repeat one: the same for all that one cause brings about. */
    String pattern() {
        Deque<String> all = new ArrayDeque<>();
        for (Path at = this; at != null; at = at.parent) {
            if (!at.pattern.equals(all.peekFirst())) {
                all.addFirst(at.pattern);
            }
        }
        return shown(new ArrayList<>(all));
    }

    @Override
    public String toString() {
        Deque<String> all = new ArrayDeque<>();
        for (Path at = this; at != null; at = at.parent) {
            all.addFirst(at.step);
        }
        return shown(new ArrayList<>(all));
    }

    private static String shown(List<String> steps) {
        int hidden = steps.size() - 2 * SHOWN;
        return hidden <= 0
                ? String.join("", steps)
                : String.join("", steps.subList(0, SHOWN)) + "...(" + hidden + " more)..."
                        + String.join("", steps.subList(SHOWN + hidden, steps.size()));
    }
}
