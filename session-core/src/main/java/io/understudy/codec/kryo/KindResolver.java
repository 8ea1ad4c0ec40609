package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.RefusedKryoClassException;
import org.jspecify.annotations.Nullable;

/**
 * Writes behind the name of a class, once in each attribute, what it is: the bytes of an enum, a record and a bean differ, and one must
 * not be read as the other when a class becomes something else.
 */
@SuppressWarnings("rawtypes") // Kryo's own signatures.
public final class KindResolver extends DefaultClassResolver {

    private static final byte BEAN = 'b';
    private static final byte RECORD = 'r';
    private static final byte ENUM = 'e';
    private static final byte ARRAY = 'a';

    private final ClassFilter filter;

    public KindResolver(ClassFilter filter) {
        this.filter = filter;
    }

    private static byte kind(Class<?> type) {
        return Enum.class.isAssignableFrom(type) ? ENUM : type.isRecord() ? RECORD : type.isArray() ? ARRAY : BEAN;
    }

    private static String named(byte kind) {
        return switch (kind) {
            case BEAN -> "class";
            case RECORD -> "record";
            case ENUM -> "enum";
            case ARRAY -> "array";
            default -> "kind " + kind;
        };
    }

    @Override
    protected void writeName(Output output, Class type, Registration registration) {
        int before = nextNameId;
        super.writeName(output, type, registration);
        if (nextNameId != before) {
            output.writeByte(kind(type));
        }
    }

    /** Asked for each class that bytes name, before one that was not met yet is loaded. */
    @Override
    protected @Nullable Class<?> getTypeByName(String className) {
        Class<?> met = super.getTypeByName(className);
        String objection = met == null ? filter.objectionToName(className) : null;
        if (objection != null) {
            throw new RefusedKryoClassException(objection);
        }
        return met;
    }

    @Override
    protected Registration readName(Input input) {
        int before = nameIdToClass == null ? 0 : nameIdToClass.size;
        Registration registration = super.readName(input);
        if (nameIdToClass != null && nameIdToClass.size != before) {
            Class<?> type = registration.getType();
            byte written = input.readByte();
            if (written != kind(type)) {
                throw new KryoException(
                        type.getName() + ": expected " + named(kind(type)) + ", found " + named(written));
            }
        }
        return registration;
    }
}
