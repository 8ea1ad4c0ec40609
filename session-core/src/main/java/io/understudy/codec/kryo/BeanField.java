package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** A field of a class here. Primitives are written as such, everything else with its class. */
final class BeanField {

    private final Field field;
    private final String declarer;
    private final char code;

    /** Of what class its values are. */
    private final Class<?> boxed;

    /** @param declarer the superclass that has it, by name; empty for the class itself */
    BeanField(Field field, String declarer) {
        this.field = field;
        this.declarer = declarer;
        this.code = field.getType().descriptorString().charAt(0) == '['
                ? 'L'
                : field.getType().descriptorString().charAt(0);
        this.boxed = MethodType.methodType(field.getType()).wrap().returnType();
        field.setAccessible(true);
    }

    String name() {
        return field.getName();
    }

    /** Its type as in descriptors; {@code L} for arrays, too. */
    char code() {
        return code;
    }

    boolean is(String ofClass, String name) {
        return field.getName().equals(name) && declarer.equals(ofClass);
    }

    void write(Kryo kryo, Output output, Object bean) throws IllegalAccessException {
        switch (code) {
            case 'Z' -> output.writeBoolean(field.getBoolean(bean));
            case 'B' -> output.writeByte(field.getByte(bean));
            case 'C' -> output.writeChar(field.getChar(bean));
            case 'S' -> output.writeShort(field.getShort(bean));
            case 'I' -> output.writeVarInt(field.getInt(bean), false);
            case 'J' -> output.writeVarLong(field.getLong(bean), false);
            case 'F' -> output.writeFloat(field.getFloat(bean));
            case 'D' -> output.writeDouble(field.getDouble(bean));
            default -> kryo.writeClassAndObject(output, field.get(bean));
        }
    }

    /** A value that was written by a field with this code. */
    static @Nullable Object read(Kryo kryo, Input input, char code) {
        return switch (code) {
            case 'Z' -> input.readBoolean();
            case 'B' -> input.readByte();
            case 'C' -> input.readChar();
            case 'S' -> input.readShort();
            case 'I' -> input.readVarInt(false);
            case 'J' -> input.readVarLong(false);
            case 'F' -> input.readFloat();
            case 'D' -> input.readDouble();
            case 'L' -> kryo.readClassAndObject(input);
            default -> throw new KryoException("expected the type of a field, found " + (int) code);
        };
    }

    /** Whether a field that is left out has the same value: then nothing is lost without it. */
    static boolean isDefault(@Nullable Object value) {
        return value == null
                || value.equals(false)
                || value.equals((char) 0)
                || (value instanceof Number number && number.doubleValue() == 0);
    }

    void set(Object bean, @Nullable Object value) throws IllegalAccessException {
        boolean fits = boxed.isInstance(value);
        field.set(bean, fits ? value : Widening.fit(value, field.getType(), bean.getClass(), field.getName()));
    }
}
