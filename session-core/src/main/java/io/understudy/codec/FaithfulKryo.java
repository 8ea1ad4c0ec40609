package io.understudy.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Output;
import org.jspecify.annotations.Nullable;

/** A Kryo that refuses, before it writes or reads one, every class that it would not restore exactly. */
@SuppressWarnings("rawtypes") // Kryo's own signatures.
final class FaithfulKryo extends Kryo {

    private final ClassFilter filter;

    FaithfulKryo(ClassFilter filter) {
        this.filter = filter;
    }

    /** A class in the graph is not for Kryo: the whole attribute takes the other way. Has no stack trace: it is no error. */
    static final class NotFaithfulException extends KryoException {

        private static final long serialVersionUID = 1L;

        NotFaithfulException(Class<?> type, String objection) {
            super(type.getName() + " " + objection);
        }

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    @Override
    public Registration writeClass(Output output, @Nullable Class type) {
        if (type != null) {
            check(type);
        }
        return super.writeClass(output, type);
    }

    @Override
    public Serializer<?> getDefaultSerializer(Class type) {
        check(type);
        if (type.isRecord()) {
            return new RecordByNameSerializer(type);
        }
        return super.getDefaultSerializer(type);
    }

    private void check(Class<?> type) {
        if (filter == null) {
            return; // Called by the constructor of the superclass, for its own registrations.
        }
        String objection = FaithfulTypes.objection(type);
        if (objection != null) {
            throw new NotFaithfulException(type, objection);
        }
        if (!filter.allows(type)) {
            throw new KryoException("class " + type.getName() + " may not be decoded");
        }
    }
}
