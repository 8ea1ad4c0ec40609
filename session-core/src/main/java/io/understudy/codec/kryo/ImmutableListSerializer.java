package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.understudy.codec.buffers.BoundedInput;
import java.util.Arrays;
import java.util.List;

/**
 * The JDK's immutable lists of three elements or more, and all that {@code Stream.toList} gives, which are of the same class but
 * may hold nulls. Kryo's own serializer takes the one for the other, and fails at a null.
 */
final class ImmutableListSerializer extends Serializer<List<?>> {

    private static final Class<?> TYPE = List.of(1, 2, 3).getClass();

    ImmutableListSerializer() {
        super(false, true);
    }

    static boolean serves(Class<?> type) {
        return type == TYPE;
    }

    private static boolean mayHoldNull(List<?> list) {
        try {
            return list.contains(null) || !list.isEmpty();
        } catch (NullPointerException e) {
            return false; // As the specification of List.of has it.
        }
    }

    @Override
    public void write(Kryo kryo, Output output, List<?> list) {
        output.writeBoolean(mayHoldNull(list));
        output.writeVarInt(list.size(), true);
        for (Object element : list) {
            kryo.writeClassAndObject(output, element);
        }
    }

    @Override
    public List<?> read(Kryo kryo, Input input, Class<? extends List<?>> type) {
        boolean mayHoldNull = input.readBoolean();
        int size = input.readVarInt(true);
        ((BoundedInput) input).claim(size);
        Object[] elements = new Object[size];
        for (int i = 0; i < size; i++) {
            elements[i] = kryo.readClassAndObject(input);
        }
        return mayHoldNull ? Arrays.stream(elements).toList() : List.of(elements);
    }
}
