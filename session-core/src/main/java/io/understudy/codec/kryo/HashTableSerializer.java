package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.understudy.codec.buffers.HashTables;

/** A serializer of Kryo's, of hash tables: it tells when the order of one that was read may not be that of the bytes. */
@SuppressWarnings({"rawtypes", "unchecked"}) // Kryo's own signatures.
final class HashTableSerializer extends Serializer<Object> {

    private final Serializer of;

    HashTableSerializer(Serializer of) {
        super(of.getAcceptsNull(), of.isImmutable());
        this.of = of;
    }

    @Override
    public void write(Kryo kryo, Output output, Object table) {
        of.write(kryo, output, table);
    }

    @Override
    public Object read(Kryo kryo, Input input, Class type) {
        Object table = of.read(kryo, input, type);
        if (table != null && HashTables.reordered(table)) {
            ((FaithfulKryo) kryo).reordered();
        }
        return table;
    }
}
