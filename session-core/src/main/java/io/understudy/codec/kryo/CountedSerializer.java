package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import io.understudy.codec.buffers.BoundedInput;

/** A serializer of Kryo's that begins with a length and allocates at once: the length is looked at before. */
@SuppressWarnings({"rawtypes", "unchecked"}) // Kryo's own signatures.
final class CountedSerializer extends Serializer<Object> {

    private final Serializer of;

    private CountedSerializer(Serializer of) {
        super(of.getAcceptsNull(), of.isImmutable());
        this.of = of;
    }

    /** The serializer itself if it reads lengths by methods that {@link BoundedInput} looks at. */
    static Serializer<?> of(Class<?> type, Serializer<?> serializer) {
        return type == String[].class || type == boolean[].class || serializer instanceof MapSerializer
                ? new CountedSerializer(serializer)
                : serializer;
    }

    @Override
    public void write(Kryo kryo, Output output, Object value) {
        of.write(kryo, output, value);
    }

    @Override
    public Object read(Kryo kryo, Input input, Class type) {
        int begin = input.position();
        ((BoundedInput) input).claim(input.readVarInt(true));
        input.setPosition(begin);
        return of.read(kryo, input, type);
    }
}
