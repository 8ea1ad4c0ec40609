package io.understudy.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.SerializerFactory.BaseSerializerFactory;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.EnumNameSerializer;
import io.understudy.codec.classes.ClassFilter;
import java.net.URI;
import java.sql.Timestamp;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/**
 * Sets up a Kryo whose bytes survive a change of classes: fields, record components and enum constants by name.
 *
 * <p>Optimised generics stay off: in Kryo 5.6 one failed read leaves that instance misreading all later ones.
 */
public final class KryoFactory {

    static {
        avoidUnsafe();
    }

    private KryoFactory() {}

    public static FaithfulKryo create(ClassLoader loader, ClassFilter filter) {
        FaithfulKryo kryo = new FaithfulKryo(filter);
        kryo.setClassLoader(loader);
        kryo.setRegistrationRequired(false);
        kryo.setReferences(true);
        kryo.setOptimizedGenerics(false);
        kryo.setMaxDepth(ClassFilter.MAX_DEPTH);
        kryo.setInstantiatorStrategy(new Instantiation());
        kryo.setDefaultSerializer(new BaseSerializerFactory<BeanByNameSerializer>() {
            @Override
            @SuppressWarnings("rawtypes") // Kryo's own signature.
            public BeanByNameSerializer newSerializer(Kryo owner, Class type) {
                return new BeanByNameSerializer(type);
            }
        });
        kryo.addDefaultSerializer(Enum.class, EnumNameSerializer.class);
        kryo.addDefaultSerializer(UUID.class, DefaultSerializers.UUIDSerializer.class);
        kryo.addDefaultSerializer(URI.class, DefaultSerializers.URISerializer.class);
        kryo.addDefaultSerializer(Pattern.class, DefaultSerializers.PatternSerializer.class);
        kryo.addDefaultSerializer(Timestamp.class, DefaultSerializers.TimestampSerializer.class);
        kryo.addDefaultSerializer(AtomicInteger.class, DefaultSerializers.AtomicIntegerSerializer.class);
        kryo.addDefaultSerializer(AtomicLong.class, DefaultSerializers.AtomicLongSerializer.class);
        kryo.addDefaultSerializer(AtomicBoolean.class, DefaultSerializers.AtomicBooleanSerializer.class);
        kryo.addDefaultSerializer(AtomicReference.class, DefaultSerializers.AtomicReferenceSerializer.class);
        return kryo;
    }

    /**
     * Keeps this Kryo off sun.misc.Unsafe, which JDK 24 warns of and later JDKs refuse (JEP 498). The property is read
     * once per copy of Kryo, so it is put back for the copies that applications bring.
     */
    private static void avoidUnsafe() {
        String property = "kryo.unsafe";
        String before = System.getProperty(property);
        System.setProperty(property, "false");
        try {
            Class.forName("com.esotericsoftware.kryo.util.Util", true, KryoFactory.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("Kryo is incomplete: expected version 5.6", e);
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }
}
