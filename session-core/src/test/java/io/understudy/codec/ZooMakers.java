package io.understudy.codec;

import io.understudy.codec.HardToRestore.Bean;
import io.understudy.codec.HardToRestore.Node;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import javax.security.auth.Subject;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/** Makes the values of the zoo that take more than an expression, and looks at those without {@code equals}. */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete", "NonApiType"}) // The types are what this is about.
final class ZooMakers {

    private ZooMakers() {}

    /** What counts of arrays and collections: elements, and their order where there is one. */
    static Object deep(Object value) {
        if (value.getClass().isArray()) {
            return Arrays.deepToString(new Object[] {value});
        }
        boolean ordered = value instanceof SortedSet
                || value instanceof SortedMap
                || value instanceof LinkedHashMap
                || value instanceof LinkedHashSet
                || !(value instanceof Collection || value instanceof Map);
        boolean queue = value instanceof Collection && !(value instanceof List || value instanceof Set);
        return queue ? value.toString() : ordered ? List.of(value, value.toString()) : value;
    }

    static String jdkText(Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    static Timestamp nanos() {
        Timestamp time = new Timestamp(1000);
        time.setNanos(123_456_789);
        return time;
    }

    static Calendar calendar() {
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"));
        calendar.setTimeInMillis(1_700_000_000_000L);
        return calendar;
    }

    static Stack<Integer> stack() {
        Stack<Integer> stack = new Stack<>();
        stack.push(1);
        stack.push(2);
        return stack;
    }

    static <C extends Collection<String>> C reversed(C sorted) {
        sorted.addAll(List.of("a", "b"));
        return sorted;
    }

    static PriorityQueue<Integer> queue() {
        PriorityQueue<Integer> queue = new PriorityQueue<>(Comparator.<Integer>reverseOrder());
        queue.addAll(List.of(1, 3, 2));
        return queue;
    }

    static Map<String, Integer> nulls() {
        Map<String, Integer> map = new HashMap<>();
        map.put(null, 1);
        map.put("k", null);
        return map;
    }

    static LinkedHashMap<String, Integer> ordered(boolean byAccess) {
        LinkedHashMap<String, Integer> map = new LinkedHashMap<>(16, 0.75f, byAccess);
        map.put("b", 1);
        map.put("a", 2);
        return map;
    }

    /** The order of the keys after the first was used. */
    static String touched(LinkedHashMap<?, ?> map) {
        LinkedHashMap<?, ?> copy = (LinkedHashMap<?, ?>) map.clone();
        Object first = copy.keySet().iterator().next();
        return copy.get(first) + " " + copy.keySet();
    }

    static Map<String, Integer> ignoringCase() {
        Map<String, Integer> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        map.put("Key", 1);
        return map;
    }

    static Map<String, Integer> reverseMap() {
        Map<String, Integer> map = new TreeMap<>(Comparator.reverseOrder());
        map.putAll(Map.of("a", 1, "b", 2));
        return map;
    }

    static Set<Integer> setFromMap() {
        Set<Integer> set = Collections.newSetFromMap(new HashMap<>());
        set.add(1);
        return set;
    }

    static Set<Integer> keySet() {
        Set<Integer> set = ConcurrentHashMap.newKeySet();
        set.add(1);
        return set;
    }

    static Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("k", "v");
        return properties;
    }

    static Properties defaults() {
        return new Properties(properties());
    }

    static ArrayBlockingQueue<Integer> blocking() {
        ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(5);
        queue.add(1);
        return queue;
    }

    static Map<String, Integer> anonymous() {
        return new HashMap<>() {
            private static final long serialVersionUID = 1L;

            {
                put("k", 1);
            }
        };
    }

    static List<Object> itself() {
        List<Object> list = new ArrayList<>();
        list.add(list);
        return list;
    }

    static Map<String, Object> mapItself() {
        Map<String, Object> map = new ConcurrentHashMap<>();
        map.put("me", map);
        return map;
    }

    static List<Bean> shared() {
        Bean bean = new Bean("b");
        return new ArrayList<>(List.of(bean, bean));
    }

    static LongAdder adder() {
        LongAdder adder = new LongAdder();
        adder.add(5);
        return adder;
    }

    static Node cycle() {
        Node node = new Node();
        node.next = new Node();
        node.next.next = node;
        return node;
    }

    static Subject subject() {
        return new Subject(true, Set.of(new X500Principal("CN=a")), new HashSet<>(), new HashSet<>());
    }

    static Function<Integer, Integer> adding(int more) {
        return (Function<Integer, Integer> & Serializable) i -> i + more;
    }

    @SuppressWarnings("unchecked")
    static Object apply(Object function, int argument) {
        return ((Function<Integer, Integer>) function).apply(argument);
    }

    private record Answer(int value) implements InvocationHandler, Serializable {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) {
            return method.getName().equals("apply") ? value : null;
        }
    }

    static Object proxy() {
        return Proxy.newProxyInstance(
                ZooMakers.class.getClassLoader(), new Class<?>[] {Function.class}, new Answer(42));
    }
}
