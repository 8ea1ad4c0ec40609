package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.buffers.Bulk;
import org.jspecify.annotations.Nullable;

/** A serializer of Kryo's, of {@linkplain Bulk}: what it makes of that has to fit, and nobody changes it meanwhile. */
@SuppressWarnings({"rawtypes", "unchecked"}) // Kryo's own signatures.
final class BulkSerializer extends Serializer<Object> {

    private final Serializer of;

    BulkSerializer(Serializer of) {
        super(of.getAcceptsNull(), of.isImmutable());
        this.of = of;
    }

    @Override
    public void write(Kryo kryo, Output output, @Nullable Object bulk) {
        of.write(kryo, output, bulk == null ? null : Bulk.copy(bulk, (BoundedOutput) output));
    }

    @Override
    public Object read(Kryo kryo, Input input, Class type) {
        return of.read(kryo, input, type);
    }
}
