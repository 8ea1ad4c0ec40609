package io.understudy.benchmarks.codec;

import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.classes.FaithfulTypes;
import io.understudy.codec.classes.JdkValues;
import io.understudy.codec.kryo.FaithfulKryo;
import io.understudy.codec.kryo.KryoFactory;
import io.understudy.codec.streams.JdkStreams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** What the class filter takes of the attributes of a {@link ShopSession}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FilterSpeed {

    private static final int MAX_BYTES = 1 << 20;

    private final ClassFilter filter =
            new ClassFilter(FilterSpeed.class::getClassLoader, Set.of(), "", ClassList.any());
    private final FaithfulKryo kryo = KryoFactory.create(FilterSpeed.class.getClassLoader(), filter);
    private final JdkStreams jdk = new JdkStreams(FilterSpeed.class::getClassLoader, filter);
    private final List<byte[]> streams = new ArrayList<>();

    /** The class of each object. */
    private final List<Class<?>> met = new ArrayList<>();

    private final Set<Class<?>> distinct;

    /** Collects what is met. */
    public FilterSpeed() {
        for (Object attribute : ShopSession.attributes()) {
            BoundedOutput bytes = new BoundedOutput(MAX_BYTES);
            bytes.writeByte(1);
            try {
                boolean unused = jdk.write(attribute, bytes);
                note(attribute);
            } catch (IOException | IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
            streams.add(bytes.toBytes());
        }
        distinct = new LinkedHashSet<>(met);
    }

    private void note(Object object) throws IllegalAccessException {
        met.add(object.getClass());
        if (object instanceof Collection<?> collection) {
            for (Object element : collection) {
                note(element);
            }
        } else if (object instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                note(entry.getKey());
                note(entry.getValue());
            }
        } else if (!JdkValues.ofJdk(object.getClass()) && !(object instanceof Enum)) {
            for (Field field : object.getClass().getDeclaredFields()) {
                if (!field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    note(field.get(object));
                }
            }
        }
    }

    /** How many objects there are. */
    int objects() {
        return met.size();
    }

    /** How many classes they have. */
    int classes() {
        return distinct.size();
    }

    /** Each object of the session, of classes that were met before. */
    @Benchmark
    public void again() {
        for (Class<?> type : met) {
            kryo.check(type);
        }
    }

    /** Each class, met by a new Kryo. */
    @Benchmark
    public void first(Blackhole hole) {
        for (Class<?> type : distinct) {
            hole.consume(FaithfulTypes.objection(type));
            hole.consume(filter.objection(type));
        }
    }

    /** What goes by JDK serialization, with the filter, bounds and the comparison of classes. */
    @Benchmark
    public void stream(Blackhole hole) throws IOException, ClassNotFoundException {
        for (byte[] bytes : streams) {
            hole.consume(jdk.read(bytes));
        }
    }

    /** The same by the JDK alone. */
    @Benchmark
    public void streamUnfiltered(Blackhole hole) throws IOException, ClassNotFoundException {
        for (byte[] bytes : streams) {
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes, 1, bytes.length - 1))) {
                hole.consume(in.readObject());
            }
        }
    }
}
