package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.buffers.Snapshot;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps, as they are at one moment. Kryo's own serializer writes the size, and then what it meets. The bytes are the
 * same, and it reads them.
 */
@SuppressWarnings({"rawtypes", "unchecked"}) // Kryo's own signatures.
final class MapSnapshotSerializer extends Serializer<Map<?, ?>> {

    private final Serializer reader;

    MapSnapshotSerializer(Serializer reader) {
        super(reader.getAcceptsNull(), reader.isImmutable());
        this.reader = reader;
    }

    @Override
    public void write(Kryo kryo, Output output, @Nullable Map<?, ?> map) {
        if (map == null) {
            output.writeByte(Kryo.NULL);
            return;
        }
        @Nullable Object[] entries = Snapshot.entries(map, (BoundedOutput) output);
        output.writeVarInt(entries.length / 2 + 1, true);
        if (map instanceof SortedMap<?, ?> sorted) {
            kryo.writeClassAndObject(output, sorted.comparator());
        }
        for (Object each : entries) {
            kryo.writeClassAndObject(output, each);
        }
    }

    @Override
    public Map<?, ?> read(Kryo kryo, Input input, Class<? extends Map<?, ?>> type) {
        return (Map<?, ?>) reader.read(kryo, input, type);
    }
}
