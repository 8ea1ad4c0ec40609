package io.understudy.codec;

import com.esotericsoftware.kryo.Serializer;
import io.understudy.codec.buffers.BoundedInput;
import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.buffers.TooLargeException;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.kryo.FaithfulKryo;
import io.understudy.codec.kryo.KryoFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Attributes that are one value of the JDK and refer to no other object: texts, numbers, bytes, times. Kryo writes the same
 * bytes in front of each value of such a class, and its serializers of these classes do not look at the Kryo they are
 * called for. So the bytes of these attributes are Kryo's, and no Kryo is needed to write or read them.
 *
 * <p>Threads: any; immutable.
 */
@SuppressWarnings({"rawtypes", "unchecked", "JavaUtilDate"}) // Kryo's own signatures; sessions hold dates.
final class PlainValues {

    private static final List<Object> ONE_OF_EACH = List.of(
            "",
            new byte[0],
            false,
            (byte) 0,
            'a',
            (short) 0,
            0,
            0L,
            0f,
            0d,
            new UUID(0, 0),
            new Date(0),
            Instant.EPOCH,
            Duration.ZERO,
            LocalDate.EPOCH,
            LocalTime.MIDNIGHT,
            LocalDateTime.of(LocalDate.EPOCH, LocalTime.MIDNIGHT),
            OffsetDateTime.ofInstant(Instant.EPOCH, ZoneOffset.UTC));

    /** Bytes of a value that has no length, mostly. */
    private static final int FIXED_BYTES = 32;

    /** Characters of a text whose end is marked by a bit: Kryo writes no length. */
    private static final int SHORT_TEXT = 32;

    private static final Map<Class<?>, PlainValues> BY_TYPE = all();
    private static final PlainValues[] ALL = BY_TYPE.values().toArray(PlainValues[]::new);

    private final Class<?> type;

    /** What is in front of each value, the format's byte with it. */
    private final byte[] prefix;

    private final Serializer serializer;

    private PlainValues(Class<?> type, byte[] prefix, Serializer serializer) {
        this.type = type;
        this.prefix = prefix;
        this.serializer = serializer;
    }

    private static Map<Class<?>, PlainValues> all() {
        ClassFilter filter = new ClassFilter(PlainValues.class::getClassLoader, Set.of(), "", ClassList.any());
        FaithfulKryo kryo = KryoFactory.create(PlainValues.class.getClassLoader(), filter);
        Map<Class<?>, PlainValues> all = new HashMap<>();
        for (Object value : ONE_OF_EACH) {
            Serializer serializer = kryo.getSerializer(value.getClass());
            BoundedOutput whole = new BoundedOutput(Short.MAX_VALUE);
            whole.writeByte(GuardedCodec.KRYO);
            kryo.writeClassAndObject(whole, value);
            BoundedOutput alone = new BoundedOutput(Short.MAX_VALUE);
            serializer.write(kryo, alone, value);
            byte[] prefix = Arrays.copyOf(whole.toBytes(), whole.position() - alone.position());
            all.put(value.getClass(), new PlainValues(value.getClass(), prefix, serializer));
        }
        return Map.copyOf(all);
    }

    /** Has the class initialized by whoever begins: a request for which there is no memory would end it for all. */
    static void load() {}

    /** Those of this value's class; {@code null} if it is no such value. */
    static @Nullable PlainValues of(Object value) {
        return BY_TYPE.get(value.getClass());
    }

    /** Those of which these bytes are one; {@code null} if they are none. */
    static @Nullable PlainValues of(byte[] bytes) {
        for (PlainValues values : ALL) {
            if (values.startsWith(bytes)) {
                return values;
            }
        }
        return null;
    }

    Class<?> type() {
        return type;
    }

    /** How many bytes the value takes: exactly, if it is an array or a text of ASCII. */
    int size(Object value) {
        int length = value instanceof byte[] bytes
                ? sizeOfLength(bytes.length + 1L, 7) + bytes.length
                : value instanceof String text
                        ? (text.length() > SHORT_TEXT ? sizeOfLength(text.length() + 1L, 6) : 0)
                                + Math.max(1, text.length())
                        : FIXED_BYTES;
        return prefix.length + length;
    }

    /** @param bits of the first byte; each later one has 7 */
    private static int sizeOfLength(long length, int bits) {
        int size = 1;
        for (long rest = length >>> bits; rest != 0; rest >>>= 7) {
            size++;
        }
        return size;
    }

    /** Whether these bytes are an array's; {@code false} also if it takes an encoding to tell. */
    boolean same(Object value, byte @Nullable [] known) {
        if (!(value instanceof byte[] array) || known == null) {
            return false;
        }
        int begin = known.length - array.length;
        return begin == size(array) - array.length
                && startsWith(known)
                && Arrays.equals(array, 0, array.length, known, begin, known.length);
    }

    private boolean startsWith(byte[] bytes) {
        int length = prefix.length;
        return bytes.length > length && Arrays.equals(bytes, 0, length, prefix, 0, length);
    }

    /** @throws TooLargeException if it does not fit */
    void write(BoundedOutput out, Object value) {
        out.writeBytes(prefix);
        serializer.write(null, out, value);
    }

    /** The value of bytes that are {@linkplain #of(byte[]) one of these}. */
    Object read(byte[] bytes) {
        BoundedInput in = new BoundedInput(bytes, prefix.length, bytes.length - prefix.length);
        Object value = serializer.read(null, in, type);
        in.checkEnd();
        return value;
    }
}
