package io.understudy.codec;

import com.esotericsoftware.kryo.util.Pool;
import io.understudy.codec.buffers.BoundedInput;
import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.buffers.Decoded;
import io.understudy.codec.buffers.HeapWeight;
import io.understudy.codec.buffers.Immutables;
import io.understudy.codec.buffers.Snapshot;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.kryo.FaithfulKryo;
import io.understudy.codec.kryo.FaithfulKryo.NotFaithfulException;
import io.understudy.codec.kryo.KryoFactory;
import io.understudy.codec.streams.JdkStreams;
import io.understudy.codec.streams.StreamedContainers;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Encodes an attribute with Kryo where every class met is restored exactly, and otherwise the whole attribute with JDK
 * serialization: identity inside an attribute survives either way. Grammar: {@code format(1) body}, format 0 is Kryo, 1
 * is a JDK stream.
 *
 * <p>A value that stands for itself, as a text does, is written and read without a Kryo instance, in the bytes that Kryo
 * gives it ({@link PlainValues}). Kryo instances belong to this codec and so to one application's class loader; one that met any failure is thrown
 * away, as Kryo 5.6 may misread afterwards.
 *
 * <p>What other threads change meanwhile is encoded as it was at one moment ({@link Snapshot}, {@link
 * StreamedContainers}), or tried again, and refused as changing in the end.
 */
public final class GuardedCodec implements AttributeCodec {

    static final byte KRYO = 0;
    private static final byte JDK = JdkStreams.FORMAT;

    /** How often a value that changes while it is encoded is tried. */
    private static final int TRIES = 3;

    /** The largest bound that settings allow. */
    private static final int MAX_BYTES = 1 << 20;

    private final int maxBytes;
    private final Supplier<ClassLoader> loader;
    private final ClassFilter filter;
    private final JdkStreams streams;
    private final Supplier<FaithfulKryo> factory;
    private final Pool<FaithfulKryo> kryos;

    /** Classes of attributes that Kryo refused before. */
    private final Set<Class<?>> refused = ConcurrentHashMap.newKeySet();

    private final KnownReadable readable = new KnownReadable();

    /** With the largest {@code maxBytes}, 1 MiB. */
    public GuardedCodec(
            Supplier<ClassLoader> loader, Set<String> containerClasses, String attributeFilter, ClassList list) {
        this(loader, containerClasses, attributeFilter, list, MAX_BYTES);
    }

    /**
     * @param loader the application's class loader; asked in request threads
     * @param containerClasses classes of the container whose objects it keeps in sessions, by name
     * @param attributeFilter what else may be in attributes, and what may not; may be empty
     * @param list is closed with this
     * @param maxBytes of an encoded value; a larger one is refused, at about this cost
     */
    public GuardedCodec(
            Supplier<ClassLoader> loader,
            Set<String> containerClasses,
            String attributeFilter,
            ClassList list,
            int maxBytes) {
        PlainValues.load();
        this.maxBytes = maxBytes;
        this.loader = loader;
        this.filter = new ClassFilter(loader, containerClasses, attributeFilter, list);
        this.streams = new JdkStreams(loader, filter);
        this.factory = () -> KryoFactory.create(loader.get(), filter);
        this.kryos = pool(factory, 2 * Runtime.getRuntime().availableProcessors());
    }

    private GuardedCodec(GuardedCodec of) {
        this.maxBytes = of.maxBytes;
        this.loader = of.loader;
        this.filter = of.filter;
        this.streams = of.streams;
        this.factory = of.factory;
        this.kryos = pool(factory, 1);
    }

    private static Pool<FaithfulKryo> pool(Supplier<FaithfulKryo> factory, int most) {
        return new Pool<>(true, false, most) {
            @Override
            protected FaithfulKryo create() {
                return factory.get();
            }
        };
    }

    /**
     * The same rules with a Kryo instance of its own. A failure costs an instance, so requests lose none by what is decoded
     * with this. It works until the original is closed, and is not closed itself.
     */
    public AttributeCodec apart() {
        return new GuardedCodec(this);
    }

    @Override
    public byte[] encode(Object value) throws NotReplicableException {
        return encode(value, maxBytes);
    }

    @Override
    public NotReplicableException explained(Object value, NotReplicableException refusal) {
        return RefusedClasses.named(value, refusal, filter, streams, maxBytes);
    }

    @Override
    public byte[] encode(Object value, byte @Nullable [] known) throws NotReplicableException {
        return encode(value, maxBytes, known, null);
    }

    @Override
    public Weighed weigh(Object value, byte @Nullable [] known) throws NotReplicableException {
        HeapWeight weight = new HeapWeight();
        byte[] bytes = encode(value, maxBytes, known, weight);
        return new Weighed(bytes, weight.bytes());
    }

    @Override
    public byte[] encode(Object value, int most) throws NotReplicableException {
        try {
            return encode(value, most, null, null);
        } catch (NotReplicableException e) {
            throw RefusedClasses.named(value, e, filter, streams, most);
        }
    }

    private byte[] encode(Object value, int most, byte @Nullable [] known, @Nullable HeapWeight weight)
            throws NotReplicableException {
        Throwable before = null;
        String cause = null;
        for (int attempt = 1; ; attempt++) {
            BoundedOutput out = null;
            try {
                PlainValues plain = plain(value);
                if (plain != null && weight != null) {
                    weight.restart();
                    weight.add(value);
                }
                if (plain != null && known != null && plain.same(value, known)) {
                    return known;
                } else if (plain != null) {
                    out = new BoundedOutput(plain.size(value), most);
                    plain.write(out, value);
                    return out.toBytes(known, true);
                }
                FaithfulKryo kryo = refused.contains(value.getClass()) ? null : kryos.obtain();
                out = kryo == null ? new BoundedOutput(most) : kryo.out(most);
                return encodeOnce(value, kryo, out, known, weight);
            } catch (Throwable e) { // From the application's classes, which may throw anything.
                if (EncodingFailure.fatal(e)) {
                    throw (Error) e;
                } else if (out != null && out.full()) {
                    throw NotReplicableException.tooLarge(most, e);
                }
                boolean lasting = EncodingFailure.lasting(e);
                String now = lasting ? null : EncodingFailure.cause(e);
                cause = before == null || Objects.equals(now, cause) ? now : null;
                if (attempt == TRIES || lasting) {
                    throw EncodingFailure.refusal(value, e, before, cause);
                }
                before = e;
                Snapshot.letOthersGoOn();
            }
        }
    }

    /** How the value is written without a Kryo; {@code null} if it can't be, or is to be learned or refused. */
    private @Nullable PlainValues plain(Object value) {
        PlainValues plain = filter.learns() ? null : PlainValues.of(value);
        return plain != null && filter.objection(plain.type()) == null ? plain : null;
    }

    private byte[] encodeOnce(
            Object value,
            @Nullable FaithfulKryo kryo,
            BoundedOutput out,
            byte @Nullable [] known,
            @Nullable HeapWeight weight)
            throws IOException {
        if (weight != null) {
            weight.restart();
        }
        if (kryo != null) {
            try {
                kryo.weigh(weight);
                return encodeWithKryo(value, kryo, out, known);
            } catch (NotFaithfulException e) {
                if (!value.getClass().getName().startsWith("java.")) {
                    refused.add(value.getClass());
                }
                out.restart();
            }
        }
        out.writeByte(JDK);
        boolean doubtful = streams.write(value, out);
        byte[] bytes = out.toBytes(known, false);
        if (weight != null) {
            weight.restart();
            weight.addStreamed(bytes.length);
        }
        if (doubtful && !readable.contains(bytes)) {
            streams.proveReadable(bytes);
            readable.add(bytes);
        }
        return bytes;
    }

    private byte[] encodeWithKryo(Object value, FaithfulKryo kryo, BoundedOutput out, byte @Nullable [] known) {
        out.writeByte(KRYO);
        kryo.writeClassAndObject(out, value);
        byte[] bytes = out.toBytes(known, false);
        filter.met(kryo.written());
        kryo.forget();
        kryos.free(kryo); // Not in a finally: after a failure it must not be used again.
        return bytes;
    }

    @Override
    public Object decode(byte[] bytes) throws NotDecodableException {
        return decoded(bytes).value();
    }

    @Override
    public Copy copy(byte[] bytes) throws NotDecodableException {
        Decoded copy = decoded(bytes);
        try {
            byte[] encoding = copy.reordered() ? encode(copy.value()) : bytes;
            return new Copy(copy.value(), new Weighed(encoding, copy.heapBytes()));
        } catch (NotReplicableException e) {
            return new Copy(
                    copy.value(),
                    new Weighed(bytes, copy.heapBytes())); // Whoever ends the request meets that, too, and tells of it.
        }
    }

    @Override
    public Set<String> rehearse(byte[] bytes) throws NotDecodableException, NotReplicableException {
        Decoded copy = decoded(bytes);
        byte[] again = encode(copy.value());
        if (!Arrays.equals(bytes, again)) {
            try {
                decoded(again);
            } catch (NotDecodableException e) {
                throw NotReplicableException.never(
                        copy.value(), "what it is encoded to here can't be read: " + e.getMessage(), e);
            }
        }
        return copy.dropped();
    }

    /**
     * The calling thread has the application's context class loader meanwhile, also if it is a thread of the container. A
     * library may look for services there as its first object is made, and never again.
     */
    private Decoded decoded(byte[] bytes) throws NotDecodableException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(loader.get());
            Decoded decoded = switch (bytes[0]) {
                case KRYO -> decodeWithKryo(bytes);
                case JDK -> streams.read(bytes);
                default -> throw new IOException("unknown format " + bytes[0] + ", expected 0 or 1");
            };
            if (decoded.value() == null) {
                throw new IOException("the value resolved to null");
            }
            return decoded;
        } catch (OutOfMemoryError e) {
            throw e; // It does not say that the value is not there.
        } catch (Throwable e) { // From the application's classes, which may throw anything.
            if (EncodingFailure.fatal(e)) {
                throw (Error) e;
            }
            throw NotDecodableException.of(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Decoded decodeWithKryo(byte[] bytes) {
        PlainValues plain = PlainValues.of(bytes);
        if (plain != null && filter.objection(plain.type()) == null) {
            Object value = plain.read(bytes);
            HeapWeight weight = new HeapWeight();
            weight.add(value);
            return new Decoded(value, false, weight.bytes(), Set.of());
        }
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
        streams.close();
        filter.close();
    }
}
