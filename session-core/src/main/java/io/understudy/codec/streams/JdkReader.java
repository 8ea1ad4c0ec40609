package io.understudy.codec.streams;

import io.understudy.codec.buffers.Decoded;
import io.understudy.codec.buffers.HashTables;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.WrittenHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Resolves classes by the application's loader, without initializing them, if the filter lets them pass, and compares
 * them with what the writer's were.
 */
final class JdkReader extends ObjectInputStream {

    private final ClassLoader loader;
    private final ClassFilter filter;
    private final Map<String, WrittenClass> written = new LinkedHashMap<>();
    private final VaadinInstances vaadin = new VaadinInstances();
    private Set<String> dropped = Set.of();
    private boolean reordered;

    JdkReader(InputStream in, ClassLoader loader, ClassFilter filter) throws IOException {
        super(in);
        this.loader = loader;
        this.filter = filter;
        enableResolveObject(true);
    }

    /**
     * The value.
     *
     * @throws InvalidClassException if fields of it would silently be lost
     */
    Object readChecked() throws IOException, ClassNotFoundException {
        Object value = readObject();
        for (WrittenClass each : written.values()) {
            List<String> lost = each.check(written);
            if (!lost.isEmpty()) {
                dropped = Stream.concat(dropped.stream(), lost.stream())
                        .distinct()
                        .limit(Decoded.MOST_DROPPED)
                        .collect(Collectors.toUnmodifiableSet());
            }
        }
        return value;
    }

    /** Whether there is a table in it whose order may differ from that of the bytes. */
    boolean reordered() {
        return reordered;
    }

    /** Fields that were read and are not here, each behind its class. */
    Set<String> dropped() {
        return dropped;
    }

    /** The application's class that was met last, by name; empty if none was. Some of the JDK's messages name none. */
    String lastClass() {
        return written.entrySet().stream()
                .filter(each -> each.getValue().ofApplication())
                .map(Map.Entry::getKey)
                .reduce("", (before, next) -> next);
    }

    /**
     * Queues take their lock while they are read. A lock that was held when its queue was written stays held for ever:
     * only a class of the JDK's that the bytes need not name would release it. A queue with a null in it would never be
     * empty.
     */
    @Override
    protected @Nullable Object resolveObject(@Nullable Object object) throws IOException {
        if (object instanceof WrittenHandler written) {
            return written.handler(loader);
        }
        if (object instanceof ReentrantLock lock && lock.isLocked()) {
            throw new InvalidObjectException("expected a lock that no thread holds, found a held lock");
        }
        if ((object instanceof PriorityQueue || object instanceof ArrayBlockingQueue)
                && Arrays.asList(((Collection<?>) object).toArray()).contains(null)) {
            throw new InvalidObjectException("expected a queue without null, found a "
                    + object.getClass().getName() + " with one: it was changed while it was written");
        }
        return object;
    }

    /** The JDK compares the {@code serialVersionUID} of this description with that of the class here. */
    @Override
    protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
        ObjectStreamClass description = super.readClassDescriptor();
        boolean servlet = ApiServlets.isOne(description.getName());
        if (!servlet && !SpringProxies.isOne(description.getName())) {
            return description;
        }
        filter.checkName(description.getName());
        try {
            Class<?> type = Class.forName(description.getName(), false, loader);
            filter.check(type);
            if (servlet) {
                return ApiServlets.withVersionHere(description, type);
            }
            return SpringProxies.readAlike(description, type) ? ObjectStreamClass.lookup(type) : description;
        } catch (ClassNotFoundException e) {
            return description; // To resolve it reports that.
        }
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        boolean mentioned = mentioned(description);
        if (!mentioned) {
            filter.checkName(description.getName());
        }
        WrittenClass seen = new WrittenClass(description, Lineage.read(this));
        written.put(description.getName(), seen);
        Class<?> type;
        try {
            type = Class.forName(description.getName(), false, loader);
        } catch (ClassNotFoundException e) {
            type = super.resolveClass(description);
        }
        if (!mentioned || !type.isInterface()) {
            filter.check(type);
        }
        seen.here(type);
        vaadin.meet(type);
        reordered |= HashTables.isOne(type);
        return type;
    }

    /** The JDK makes no object of a class that it describes so. */
    private boolean mentioned(ObjectStreamClass description) {
        return description.getSerialVersionUID() == 0 && filter.mentioned(description.getName());
    }

    @Override
    protected Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
        Class<?>[] interfaces = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) {
            filter.checkName(names[i]);
            interfaces[i] = Class.forName(names[i], false, loader);
            filter.check(interfaces[i]);
        }
        return Proxy.newProxyInstance(loader, interfaces, (proxy, method, arguments) -> null)
                .getClass();
    }

    @Override
    public void close() throws IOException {
        vaadin.restore();
        super.close();
    }
}
