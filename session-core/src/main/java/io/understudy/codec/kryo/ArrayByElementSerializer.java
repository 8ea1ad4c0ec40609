package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.understudy.codec.buffers.BoundedInput;
import java.lang.reflect.Array;

/**
 * Arrays of objects, each with its class. Kryo's own serializer leaves the class away if it is final, which it may be in one version
 * only: an enum is, until one of its constants has a body.
 */
final class ArrayByElementSerializer extends Serializer<Object[]> {

    @Override
    public void write(Kryo kryo, Output output, Object[] array) {
        output.writeVarInt(array.length, true);
        for (Object element : array) {
            kryo.writeClassAndObject(output, element);
        }
    }

    @Override
    public Object[] read(Kryo kryo, Input input, Class<? extends Object[]> type) {
        int length = input.readVarInt(true);
        ((BoundedInput) input).claim(length);
        Object[] array = (Object[]) Array.newInstance(type.getComponentType(), length);
        kryo.reference(array);
        for (int i = 0; i < length; i++) {
            Object element = kryo.readClassAndObject(input);
            if (element != null && !type.getComponentType().isInstance(element)) {
                throw new KryoException("element of " + type.getTypeName() + ": expected "
                        + type.getComponentType().getTypeName() + ", found "
                        + element.getClass().getTypeName());
            }
            array[i] = element;
        }
        return array;
    }
}
