package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records by the names of their components, so that versions of a record with more, fewer or reordered components read
 * each other. A component that is missing in the bytes gets its type's default.
 */
final class RecordByNameSerializer extends Serializer<Record> {

    private final RecordComponent[] components;
    private final Constructor<?> constructor;

    RecordByNameSerializer(Class<?> type) {
        super(false, true);
        components = type.getRecordComponents();
        try {
            constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            for (RecordComponent component : components) {
                component.getAccessor().setAccessible(true);
            }
        } catch (NoSuchMethodException e) {
            throw new KryoException("record " + type.getName() + " has no canonical constructor", e);
        }
    }

    @Override
    public void write(Kryo kryo, Output output, Record value) {
        output.writeVarInt(components.length, true);
        for (RecordComponent component : components) {
            output.writeString(component.getName());
            try {
                kryo.writeClassAndObject(output, component.getAccessor().invoke(value));
            } catch (ReflectiveOperationException e) {
                throw new KryoException("component " + component.getName(), e);
            }
        }
    }

    @Override
    public Record read(Kryo kryo, Input input, Class<? extends Record> type) {
        int count = input.readVarInt(true);
        Map<String, @Nullable Object> values = new HashMap<>();
        for (int i = 0; i < count; i++) {
            values.put(input.readString(), kryo.readClassAndObject(input));
        }
        Object[] arguments = new Object[components.length];
        int known = 0;
        for (int i = 0; i < components.length; i++) {
            String name = components[i].getName();
            Class<?> component = components[i].getType();
            boolean written = values.containsKey(name);
            known += written ? 1 : 0;
            arguments[i] = written
                    ? Widening.fit(values.get(name), component, type, name)
                    : Array.get(Array.newInstance(component, 1), 0);
        }
        if (known < values.size()) {
            drop((FaithfulKryo) kryo, type, values);
        }
        try {
            return (Record) constructor.newInstance(arguments);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            Throwable reason = e instanceof InvocationTargetException && e.getCause() != null ? e.getCause() : e;
            throw new KryoException(
                    "record " + type.getName() + " refuses its components: "
                            + reason.getClass().getName(),
                    e);
        }
    }

    private void drop(FaithfulKryo kryo, Class<?> type, Map<String, @Nullable Object> values) {
        for (RecordComponent component : components) {
            values.remove(component.getName());
        }
        values.forEach((name, value) -> {
            if (!BeanField.isDefault(value)) {
                kryo.dropped(type, name);
            }
        });
    }
}
