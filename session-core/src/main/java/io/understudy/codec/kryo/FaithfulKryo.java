package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.serializers.EnumNameSerializer;
import com.esotericsoftware.kryo.serializers.ImmutableCollectionsSerializers;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import io.understudy.codec.buffers.BoundedInput;
import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.buffers.Bulk;
import io.understudy.codec.buffers.Decoded;
import io.understudy.codec.buffers.HashTables;
import io.understudy.codec.buffers.HeapWeight;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.FaithfulTypes;
import io.understudy.codec.classes.JdkValues;
import io.understudy.codec.classes.RefusedKryoClassException;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A Kryo that refuses, before it writes or reads one, every class that it would not restore exactly. */
@SuppressWarnings({"rawtypes", "unchecked"}) // Kryo's own signatures.
public final class FaithfulKryo extends Kryo {

    private final ClassFilter filter;

    /** What values were written to; its array serves again. */
    private @Nullable BoundedOutput kept;

    /** Classes that nothing is to be said against; the loader that they are of is the codec's own, as this is. */
    private final Set<Class<?>> faultless = Collections.newSetFromMap(new IdentityHashMap<>());

    /** What was written since {@link #forget}, if the filter {@linkplain ClassFilter#learns learns}. */
    private final Set<Class<?>> written = new HashSet<>();

    /** Of what was read since then. */
    private boolean reordered;

    private final Set<String> dropped = new LinkedHashSet<>();

    FaithfulKryo(ClassFilter filter) {
        super(new KindResolver(filter), new WeighingReferences());
        this.filter = filter;
    }

    /** An empty output of this bound for a value; mostly the one of before, so one at a time. */
    public BoundedOutput out(int maxBytes) {
        BoundedOutput out = kept;
        if (out == null || !out.reuse(maxBytes)) {
            out = new BoundedOutput(maxBytes);
            kept = out;
        }
        return out;
    }

    /** A class in the graph is not for Kryo: the whole attribute takes the other way. Has no stack trace: it is no error. */
    public static final class NotFaithfulException extends KryoException {

        private static final long serialVersionUID = 1L;

        NotFaithfulException(Class<?> type, String objection) {
            super(type.getName() + " " + objection);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    @Override
    public Registration writeClass(Output output, @Nullable Class type) {
        if (type == null) {
            return super.writeClass(output, null);
        }
        check(type);
        if (filter.learns()) {
            written.add(type);
        }
        // Of a constant with a body the enum: another version may have it without one.
        boolean body = Enum.class.isAssignableFrom(type) && !type.isEnum() && type != Enum.class;
        return super.writeClass(output, body ? type.getSuperclass() : type);
    }

    /** A table was read whose order may differ from that of the bytes. */
    void reordered() {
        reordered = true;
    }

    /** The bytes have a field, of any value but the default, that the class here has not. */
    void dropped(Class<?> type, String field) {
        if (dropped.size() < Decoded.MOST_DROPPED) {
            dropped.add(type.getName() + "." + field);
        }
    }

    /** The value of these bytes, all of them. */
    public Decoded read(BoundedInput in) {
        HeapWeight weight = new HeapWeight();
        weigh(weight);
        Object value = readClassAndObject(in);
        in.checkEnd();
        return new Decoded(value, reordered, weight.bytes(), dropped.isEmpty() ? Set.of() : Set.copyOf(dropped));
    }

    /** @param to what the objects of the next value, which is read or written, are added to; {@code null} to weigh nothing */
    public void weigh(@Nullable HeapWeight to) {
        ((WeighingReferences) getReferenceResolver()).weigh(to);
    }

    public Set<Class<?>> written() {
        return written;
    }

    public void forget() {
        written.clear();
        dropped.clear();
        reordered = false;
    }

    @Override
    public Serializer<?> getDefaultSerializer(Class type) {
        check(type);
        if (type.isRecord()) {
            return new RecordByNameSerializer(type);
        }
        if (ImmutableListSerializer.serves(type)) {
            return new ImmutableListSerializer();
        }
        if (type.isArray() && !type.getComponentType().isPrimitive() && type != String[].class) {
            return new ArrayByElementSerializer();
        }
        Serializer<?> serializer = super.getDefaultSerializer(type);
        if (!JdkValues.ofJdk(type) && !type.isArray() && !known(serializer)) {
            throw new NotFaithfulException(type, "names its own serializer, which could bypass the filter");
        }
        Serializer<?> steady = steady(type, serializer);
        return HashTables.isOne(type) ? new HashTableSerializer(steady) : steady;
    }

    /** Writes what other threads may change as it is at one moment. */
    private static Serializer<?> steady(Class<?> type, Serializer<?> serializer) {
        Serializer<?> counted = CountedSerializer.of(type, serializer);
        if (serializer.getClass().getEnclosingClass() == ImmutableCollectionsSerializers.class) {
            return counted; // Of what can't be changed.
        }
        if (serializer instanceof MapSerializer) {
            return new MapSnapshotSerializer(counted);
        }
        if (serializer instanceof CollectionSerializer) {
            return new CollectionSnapshotSerializer(counted);
        }
        return Bulk.isOne(type) ? new BulkSerializer(counted) : counted;
    }

    /** Whether it is none that a class brings along: one of Kryo's reads JDK streams, whatever class they name. */
    private static boolean known(Serializer<?> serializer) {
        return serializer instanceof EnumNameSerializer || serializer instanceof BeanByNameSerializer;
    }

    /**
     * Lets it pass if it will be restored exactly, and the filter allows it.
     *
     * @throws NotFaithfulException if it will not
     * @throws KryoException if the filter does not
     */
    public void check(Class<?> type) {
        if (filter == null || faultless.contains(type)) {
            return; // Called by the constructor of the superclass, for its own registrations; or seen before.
        }
        String objection = FaithfulTypes.objection(type);
        if (objection != null) {
            throw new NotFaithfulException(type, objection);
        }
        String rejection = filter.objection(type);
        if (rejection != null) {
            throw new RefusedKryoClassException(rejection);
        }
        faultless.add(type);
    }
}
