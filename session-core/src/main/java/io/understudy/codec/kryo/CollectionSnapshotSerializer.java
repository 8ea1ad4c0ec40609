package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.understudy.codec.buffers.BoundedInput;
import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.buffers.Snapshot;
import java.util.Arrays;
import java.util.Collection;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Collections, as they are at one moment. Kryo's own serializer writes the size, and then what it meets. The bytes are
 * the same, and it reads them, but for a collection of nothing but nulls: each takes a byte here, so that {@link
 * BoundedInput} lets it pass.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // Kryo's own signatures.
final class CollectionSnapshotSerializer extends Serializer<Collection<?>> {

    private final Serializer reader;

    CollectionSnapshotSerializer(Serializer reader) {
        super(reader.getAcceptsNull(), reader.isImmutable());
        this.reader = reader;
    }

    @Override
    public void write(Kryo kryo, Output output, @Nullable Collection<?> collection) {
        if (collection == null) {
            output.writeByte(Kryo.NULL);
            return;
        }
        @Nullable Object[] elements = Snapshot.elements(collection, (BoundedOutput) output);
        Class<?> common = commonClass(elements);
        output.writeVarIntFlag(common != null, elements.length + 1, true);
        if (collection instanceof SortedSet<?> sorted) {
            kryo.writeClassAndObject(output, sorted.comparator());
        }
        if (common == null) {
            for (Object element : elements) {
                kryo.writeClassAndObject(output, element);
            }
        } else {
            writeAll(kryo, output, elements, common);
        }
    }

    /** The class of all elements but nulls; {@code null} if there are several or none. */
    private static @Nullable Class<?> commonClass(@Nullable Object[] elements) {
        Class<?> common = null;
        for (Object element : elements) {
            if (element != null) {
                if (common != null && element.getClass() != common) {
                    return null;
                }
                common = element.getClass();
            }
        }
        return common;
    }

    private static void writeAll(Kryo kryo, Output output, @Nullable Object[] elements, Class<?> common) {
        kryo.writeClass(output, common);
        Serializer serializer = kryo.getSerializer(common);
        boolean nulls = Arrays.asList(elements).contains(null);
        output.writeBoolean(nulls);
        for (Object element : elements) {
            if (nulls) {
                kryo.writeObjectOrNull(output, element, serializer);
            } else {
                kryo.writeObject(output, element, serializer);
            }
        }
    }

    @Override
    public Collection<?> read(Kryo kryo, Input input, Class<? extends Collection<?>> type) {
        return (Collection<?>) reader.read(kryo, input, type);
    }
}
