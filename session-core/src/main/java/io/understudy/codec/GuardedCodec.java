package io.understudy.codec;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.Pool;
import io.understudy.codec.FaithfulKryo.NotFaithfulException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectStreamException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Encodes an attribute with Kryo where every class met is restored exactly, and otherwise the whole attribute with JDK
 * serialization: identity inside an attribute survives either way. Grammar: {@code format(1) body}, format 0 is Kryo, 1
 * is a JDK stream.
 *
 * <p>Kryo instances belong to this codec and so to one application's class loader; one that met any failure is thrown
 * away, as Kryo 5.6 may misread afterwards.
 */
public final class GuardedCodec implements AttributeCodec {

    private static final byte KRYO = 0;
    private static final byte JDK = 1;

    /** How often a value that changes while it is encoded is tried. */
    private static final int TRIES = 3;

    /** The first size, in bytes, of the buffer an attribute is encoded into. */
    private static final int BUFFER_BYTES = 512;

    private final ClassFilter filter;
    private final JdkStreams streams;
    private final Pool<FaithfulKryo> kryos;

    /** Classes of attributes that Kryo refused before. */
    private final Set<Class<?>> refused = ConcurrentHashMap.newKeySet();

    /**
     * @param loader the application's class loader; asked in request threads
     * @param containerClasses classes of the container whose objects it keeps in sessions, by name
     * @param attributeFilter what else may be in attributes, and what may not; may be empty
     * @param list is closed with this
     */
    public GuardedCodec(
            Supplier<ClassLoader> loader, Set<String> containerClasses, String attributeFilter, ClassList list) {
        this.filter = new ClassFilter(loader, containerClasses, attributeFilter, list);
        this.streams = new JdkStreams(loader, filter);
        this.kryos = new Pool<>(true, false, 2 * Runtime.getRuntime().availableProcessors()) {
            @Override
            protected FaithfulKryo create() {
                return KryoFactory.create(loader.get(), filter);
            }
        };
    }

    @Override
    public byte[] encode(Object value) throws NotReplicableException {
        for (int attempt = 1; ; attempt++) {
            try {
                return encodeOnce(value);
            } catch (ObjectStreamException e) {
                throw NotReplicableException.never(value, e);
            } catch (IOException | RuntimeException | StackOverflowError e) {
                if (attempt == TRIES) {
                    throw e instanceof RuntimeException && !lasting(e)
                            ? NotReplicableException.changing(value, e)
                            : NotReplicableException.never(value, e);
                }
            }
        }
    }

    /** Whether Kryo itself objects, to a class or to the depth: no other thread is the reason then. */
    private static boolean lasting(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root instanceof KryoException;
    }

    private byte[] encodeOnce(Object value) throws IOException {
        if (!refused.contains(value.getClass())) {
            try {
                return encodeWithKryo(value);
            } catch (NotFaithfulException e) {
                if (!value.getClass().getName().startsWith("java.")) {
                    refused.add(value.getClass());
                }
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);
        bytes.write(JDK);
        streams.write(value, bytes);
        return bytes.toByteArray();
    }

    private byte[] encodeWithKryo(Object value) {
        FaithfulKryo kryo = kryos.obtain();
        Output out = new Output(BUFFER_BYTES, -1);
        out.writeByte(KRYO);
        kryo.writeClassAndObject(out, value);
        filter.met(kryo.written());
        kryo.forget();
        kryos.free(kryo); // Not in a finally: after a failure it must not be used again.
        return out.toBytes();
    }

    @Override
    public Object decode(byte[] bytes) throws NotDecodableException {
        return decoded(bytes).value();
    }

    @Override
    public Copy copy(byte[] bytes) throws NotDecodableException {
        Decoded copy = decoded(bytes);
        try {
            return new Copy(copy.value(), copy.reordered() ? encode(copy.value()) : bytes);
        } catch (NotReplicableException e) {
            return new Copy(copy.value(), bytes); // Whoever ends the request meets that, too, and tells of it.
        }
    }

    private Decoded decoded(byte[] bytes) throws NotDecodableException {
        try {
            Decoded decoded = switch (bytes[0]) {
                case KRYO -> decodeWithKryo(bytes);
                case JDK -> streams.read(bytes);
                default -> throw new IOException("unknown format " + bytes[0] + ", expected 0 or 1");
            };
            if (decoded.value() == null) {
                throw new IOException("the value resolved to null");
            }
            return decoded;
        } catch (Exception
                | LinkageError
                | AssertionError
                | StackOverflowError e) { // Of the application's classes, too.
            throw NotDecodableException.of(e);
        }
    }

    private Decoded decodeWithKryo(byte[] bytes) {
        FaithfulKryo kryo = kryos.obtain();
        Decoded decoded = kryo.read(new BoundedInput(bytes, 1, bytes.length - 1));
        kryo.forget();
        kryos.free(kryo);
        return decoded;
    }

    @Override
    public boolean immutable(Object value) {
        return Immutables.immutable(value);
    }

    @Override
    public void close() {
        kryos.clear();
        refused.clear();
        filter.close();
    }
}
