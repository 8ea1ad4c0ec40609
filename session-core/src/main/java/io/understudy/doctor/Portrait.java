package io.understudy.doctor;

import io.understudy.codec.classes.JdkValues;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Form} of an object and all that it refers to.
 *
 * <p>Threads: one.
 */
final class Portrait {

    private static final int MAX_OBJECTS = 20_000;

    /** A longer array of numbers is compared as a whole. */
    private static final int MAX_NUMBERS = 1000;

    private static final Form NULL = Form.of("", "null", "null");
    private static final Pattern IDENTITY = Pattern.compile("@[0-9a-f]+");

    /** Objects whose iteration would load data into them. */
    private static final String LAZY = "org.hibernate.";

    private record Open(Object value, Form form) {}

    private final IdentityHashMap<Object, Form> forms = new IdentityHashMap<>();
    private final Deque<Open> open = new ArrayDeque<>();

    /** Those whose elements have no order; they are sorted when all is known. */
    private final List<Runnable> unordered = new ArrayList<>();

    Form of(Object value) {
        Form whole = form(value);
        while (!open.isEmpty() && forms.size() < MAX_OBJECTS) {
            Open next = open.remove();
            fill(next.value(), next.form());
        }
        unordered.forEach(Runnable::run);
        return whole;
    }

    private Form form(@Nullable Object value) {
        if (value == null) {
            return NULL;
        }
        if (ObjectGraph.leaf(value)) {
            return Form.of("", SafeToString.type(value) + " " + plain(value), SafeToString.value(value));
        }
        Form known = forms.get(value);
        if (known == null) {
            known = Form.of(type(value), text(value), shown(value));
            forms.put(value, known);
            open.add(new Open(value, known));
        }
        return known;
    }

    /** Without what it consists of: a transient field may refer to a whole container. */
    private Form alone(@Nullable Object value) {
        return value == null || ObjectGraph.leaf(value) ? form(value) : Form.of(type(value), text(value), shown(value));
    }

    private static String plain(Object leaf) {
        return leaf instanceof Enum<?> constant
                ? constant.name()
                : leaf instanceof Class<?> type ? type.getName() : leaf.toString();
    }

    /** Lambdas and proxies may be of another class each time, and the JDK has several classes for one purpose. */
    private static String type(Object value) {
        Class<?> type = value.getClass();
        boolean any = type.isHidden()
                || Proxy.isProxyClass(type)
                || JdkValues.ofJdk(type)
                || type.isArray()
                || Opaque.encoded(value);
        return any ? "" : type.getName();
    }

    /** What an object of the JDK is by itself. */
    private static @Nullable String text(Object value) {
        Class<?> type = value.getClass();
        if (type.isArray()) {
            boolean numbers = !(value instanceof Object[]) && Array.getLength(value) > MAX_NUMBERS;
            return numbers ? Array.getLength(value) + " numbers, hash " + hash(value) : null;
        }
        if (Opaque.encoded(value)) {
            return Opaque.encoding(value);
        }
        boolean whole = Opaque.BY_TEXT.contains(type.getName())
                || (JdkValues.ofJdk(type)
                        && !Proxy.isProxyClass(type)
                        && ObjectGraph.hasEquals(value)
                        && !(value instanceof Collection
                                || value instanceof Map
                                || value instanceof Map.Entry
                                || value instanceof Optional));
        return whole ? IDENTITY.matcher(value.toString()).replaceAll("") : null;
    }

    private static int hash(Object numbers) {
        return Arrays.deepHashCode(new Object[] {numbers});
    }

    private static String shown(Object value) {
        if (value instanceof Collection<?>
                || value instanceof Map<?, ?>
                || value.getClass().isArray()) {
            return "an object of " + SafeToString.type(value);
        }
        String text = text(value);
        return text == null
                ? SafeToString.value(value)
                : SafeToString.value(text).replace("\"", "");
    }

    private void fill(Object value, Form form) {
        if (value instanceof ClassLoader
                || value instanceof Thread
                || Opaque.encoded(value)
                || value.getClass().isHidden()) {
            return;
        }
        try {
            contents(value, form);
        } catch (RuntimeException e) {
            form.add(
                    "failure",
                    "",
                    "",
                    false,
                    Form.of("", e.getClass().getName(), e.getClass().getName()));
        }
        if (!lookedInto(value)) {
            for (Field field : ObjectGraph.fields(value.getClass())) {
                boolean inTransient = ObjectGraph.isTransient(field);
                Object part = ObjectGraph.value(field, value);
                String id = field.getDeclaringClass().getName() + "." + field.getName();
                String step = "." + field.getName();
                form.add(id, step, step, inTransient, inTransient ? alone(part) : form(part));
            }
        }
    }

    /** A collection of a library is what it iterates: its tables may differ although it is the same. */
    private static boolean lookedInto(Object value) {
        boolean container = value instanceof Collection || value instanceof Map;
        return container
                && iterated(value)
                && ObjectGraph.elements(value) == null
                && ObjectGraph.entries(value) == null;
    }

    private static boolean iterated(Object value) {
        return !value.getClass().getName().startsWith(LAZY);
    }

    private void contents(Object value, Form form) {
        if (value instanceof Object[] array) {
            elements(Arrays.asList(array), form);
        } else if (value.getClass().isArray()) {
            numbers(value, form);
        } else if (value instanceof Map<?, ?> map && iterated(value)) {
            entries(List.copyOf(map.entrySet()), form);
        } else if (value instanceof Collection<?> all && iterated(value)) {
            List<@Nullable Object> elements = Arrays.asList(all.toArray());
            if (ordered(all)) {
                elements(elements, form);
            } else {
                unordered(elements, form);
            }
        } else {
            ofJdk(value, form);
        }
    }

    private void elements(List<? extends @Nullable Object> elements, Form form) {
        for (int i = 0; i < elements.size(); i++) {
            form.add("[" + i + "]", "[" + i + "]", "[]", false, form(elements.get(i)));
        }
    }

    private void numbers(Object array, Form form) {
        int length = Array.getLength(array);
        for (int i = 0; i < length && length <= MAX_NUMBERS; i++) {
            form.add("[" + i + "]", "[" + i + "]", "[]", false, form(Array.get(array, i)));
        }
    }

    private static boolean ordered(Collection<?> all) {
        return all instanceof SortedSet || !(all instanceof Set || all instanceof PriorityQueue);
    }

    private void unordered(List<? extends @Nullable Object> elements, Form form) {
        List<Form> forms = new ArrayList<>();
        elements.forEach(element -> forms.add(form(element)));
        unordered.add(() -> {
            forms.sort(Comparator.comparing(Form::order));
            for (int i = 0; i < forms.size(); i++) {
                form.add("[" + i + "]", "[" + i + "]", "[]", false, forms.get(i));
            }
        });
    }

    private record Entry(Form key, Form value) {}

    private void entries(List<? extends Map.Entry<?, ?>> entries, Form form) {
        List<Entry> byKey = new ArrayList<>();
        for (Map.Entry<?, ?> entry : entries) {
            Form value = form(entry.getValue());
            if (ObjectGraph.leaf(entry.getKey())) {
                Form key = form(entry.getKey());
                form.add("[" + key.text() + "]", "[" + key.shown() + "]", "[]", false, value);
            } else {
                byKey.add(new Entry(form(entry.getKey()), value));
            }
        }
        unordered.add(() -> {
            byKey.sort(Comparator.comparing(entry -> entry.key().order()));
            for (int i = 0; i < byKey.size(); i++) {
                Entry entry = byKey.get(i);
                form.add("key " + i, ".keys[" + i + "]", ".keys[]", false, entry.key());
                form.add("value " + i, "[key " + i + "]", "[]", false, entry.value());
            }
        });
    }

    /** What other objects of the JDK hold of the application's. */
    private void ofJdk(Object value, Form form) {
        if (value instanceof AtomicReference<?>
                || value instanceof Optional<?>
                || value instanceof Map.Entry<?, ?>
                || Proxy.isProxyClass(value.getClass())) {
            List<GraphNode> parts = new ArrayList<>();
            ObjectGraph.ofJdk(parts, Path.attribute(""), value);
            parts.forEach(part -> {
                String step = part.path().toString();
                form.add(step, step, step, false, form(part.value()));
            });
        }
    }
}
