package io.understudy.codec.streams;

import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.buffers.Bulk;
import io.understudy.codec.buffers.Snapshot;
import io.understudy.codec.buffers.TooLargeException;
import io.understudy.codec.classes.FaithfulTypes;
import io.understudy.codec.classes.JdkValues;
import io.understudy.codec.classes.WrittenHandler;
import io.understudy.codec.classes.WrittenUrl;
import java.io.Externalizable;
import java.io.ObjectStreamException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.UnaryOperator;

/**
 * How containers get into a JDK stream while other threads may change them. Those of the JDK that are not made for
 * threads write how many elements they have, and then the elements they meet. A copy, which nobody changes, takes their
 * place. The same holds for classes that extend them, unless they override how a container is copied, counted or
 * iterated. What has a form of its own outside of the JDK, or puts another object in its place when it is read, can't
 * be judged: the stream is doubtful, and the caller reads it back.
 *
 * <p>Containers made for threads need no copy: they write under their lock, or end with a mark.
 *
 * <p>Threads: any. Knows the application's classes until it is {@linkplain #clear cleared}.
 */
public final class StreamedContainers {

    /** Have a {@code clone} that copies all they hold. */
    private static final Set<Class<?>> CLONED = Set.of(
            ArrayList.class,
            LinkedList.class,
            ArrayDeque.class,
            HashSet.class,
            LinkedHashSet.class,
            TreeSet.class,
            HashMap.class,
            LinkedHashMap.class,
            TreeMap.class,
            IdentityHashMap.class,
            EnumMap.class);

    /** Made for threads; have a copy of all they hold made when they are written. */
    private static final Set<Class<?>> COPIED_BY_ITSELF =
            Set.of(Vector.class, Hashtable.class, PriorityBlockingQueue.class);

    /** What is written instead of an object. */
    interface Steady {
        Object of(Object object, BoundedOutput out) throws ObjectStreamException;
    }

    /**
     * How objects of one class are written.
     *
     * @param doubtful whether a stream with such an object has to be read back, to know that others can read it
     */
    record Form(Steady steady, boolean doubtful) {

        /**
         * What is written instead of an object; itself if other threads can't harm it.
         *
         * @throws java.util.ConcurrentModificationException or another unchecked exception if it is changing
         * @throws TooLargeException if it holds more than fits into {@code out}
         * @throws ObjectStreamException if no copy of it would be right
         */
        Object of(Object object, BoundedOutput out) throws ObjectStreamException {
            return steady.of(object, out);
        }
    }

    private static final Form AS_IT_IS = new Form((object, out) -> object, false);
    private static final Form HANDLER = new Form((object, out) -> WrittenHandler.insteadOf(object), false);
    private static final Form ADVISOR = new Form((object, out) -> SpringAdvisors.checked(object), false);
    private static final Form DOUBTFUL = new Form((object, out) -> object, true);

    private final Map<Class<?>, Form> forms = new ConcurrentHashMap<>();

    /** Forgets the application's classes. */
    void clear() {
        forms.clear();
    }

    Form form(Class<?> type) {
        Form known = forms.get(type);
        if (known == null) {
            known = judged(type);
            if (standsIn(type)) {
                known = new Form(known.steady(), true);
            }
            forms.put(type, known);
        }
        return known;
    }

    /** Whether another object takes its place when it is read, which the reader's filter judges, too. */
    private static boolean standsIn(Class<?> type) {
        return !JdkValues.ofJdk(type)
                && type != WrittenUrl.class
                && !type.isEnum()
                && FaithfulTypes.replacesItself(type);
    }

    private static Form judged(Class<?> type) {
        if (Bulk.isOne(type)) {
            return new Form(Bulk::copy, false);
        } else if (type == PriorityQueue.class) {
            return copied(queue -> new PriorityQueue<>((PriorityQueue<?>) queue), false);
        } else if (COPIED_BY_ITSELF.contains(type)) {
            return new Form(StreamedContainers::claimed, false);
        } else if (type.isArray() || type.isRecord() || Enum.class.isAssignableFrom(type)) {
            return AS_IT_IS;
        } else if (WrittenHandler.isOne(type)) {
            return HANDLER;
        } else if (SpringAdvisors.isOne(type)) {
            return ADVISOR;
        }
        boolean ownForm = Externalizable.class.isAssignableFrom(type);
        Class<?> ofJdk = type;
        for (; !JdkValues.ofJdk(ofJdk); ofJdk = ofJdk.getSuperclass()) {
            ownForm |= FaithfulTypes.writesItself(ofJdk);
        }
        boolean extended = type != ofJdk;
        if (CLONED.contains(ofJdk)) {
            Method clone = method(type, "clone");
            return extended && overrides(type, clone)
                    ? DOUBTFUL
                    : copied(container -> invoked(clone, container), extended && ownForm);
        }
        boolean torn = ofJdk == ArrayBlockingQueue.class
                || ofJdk == PriorityQueue.class
                || ofJdk == BitSet.class
                || ofJdk.getName()
                        .startsWith("javax.naming.directory.BasicAttribute"); // Of a module that may be absent.
        return torn || (extended && ownForm) ? DOUBTFUL : AS_IT_IS;
    }

    private static Form copied(UnaryOperator<Object> copying, boolean doubtful) {
        return new Form((container, out) -> Snapshot.copy(container, copying, out), doubtful);
    }

    private static Object claimed(Object container, BoundedOutput out) {
        out.claim(container instanceof Map<?, ?> map ? map.size() : ((Collection<?>) container).size());
        return container;
    }

    /** Whether the class has methods of its own among those that a copy is made and compared by. */
    private static boolean overrides(Class<?> type, Method clone) {
        boolean map = Map.class.isAssignableFrom(type);
        return !inherited(clone)
                || !inherited(method(type, "size"))
                || !inherited(method(type, map ? "entrySet" : "iterator"))
                || (LinkedList.class.isAssignableFrom(type) && !inherited(method(type, "add", Object.class)));
    }

    private static boolean inherited(Method method) {
        return JdkValues.ofJdk(method.getDeclaringClass());
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(type.getName() + ": expected a public method " + name, e);
        }
    }

    private static Object invoked(Method copying, Object container) {
        try {
            return copying.invoke(container);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
