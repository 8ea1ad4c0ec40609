package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.SerializerFactory.CompatibleFieldSerializerFactory;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.CompatibleFieldSerializer.CompatibleFieldSerializerConfig;
import com.esotericsoftware.kryo.serializers.FieldSerializer.Bind;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import com.esotericsoftware.kryo.util.MapReferenceResolver;
import io.understudy.codec.Canaries.Canary;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.classes.ClassListFile;
import io.understudy.codec.kryo.KindResolver;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes that name classes which they may not. */
@Tag("cluster")
class HostileClassesTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final String NAME = Canary.class.getName();

    /** Its class asks Kryo to hand it to a JDK stream, which no filter would look at. */
    @DefaultSerializer(JavaSerializer.class)
    static final class Smuggler implements Serializable {
        private static final long serialVersionUID = 1L;
        Object load;
    }

    static final class FieldSmuggler implements Serializable {
        private static final long serialVersionUID = 1L;

        @Bind(serializer = JavaSerializer.class)
        Object load;
    }

    /** It tells when its readObject runs. */
    static final class Explosive implements Serializable {
        private static final long serialVersionUID = 1L;
        static volatile boolean exploded;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            exploded = true;
            in.defaultReadObject();
        }
    }

    @TempDir
    Path dir;

    private GuardedCodec codec(ClassLoader loader, Class<?>... listed) throws IOException {
        Path file = dir.resolve("classes.txt");
        ClassListFile.add(file, Set.of());
        for (Class<?> type : listed) {
            ClassListFile.add(file, Set.of(type.getName()));
        }
        return new GuardedCodec(() -> loader, Set.of(), "", ClassList.enforce(file));
    }

    @BeforeEach
    void nothingHappened() {
        Canaries.assertSilent();
        Explosive.exploded = false;
    }

    private static void assertRefused(GuardedCodec codec, byte[] bytes, String named) {
        NotDecodableException refused = assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
        assertTrue(refused.getMessage().contains(named), refused.getMessage());
        Canaries.assertSilent();
        assertFalse(Explosive.exploded);
    }

    @Test
    void aClassThatIsNotAllowedIsNeitherInitializedNorMade() throws Exception {
        List<byte[]> all = Canaries.bytes();
        assertEquals(9, all.size());
        try (GuardedCodec codec = codec(getClass().getClassLoader())) {
            for (byte[] bytes : all) {
                assertRefused(codec, bytes, NAME + " is not in ");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("outsiders")
    void whatTheFilterKeepsOutIsNotInitialized(String name) {
        try (GuardedCodec any = new GuardedCodec(getClass()::getClassLoader, Set.of(), "", ClassList.any())) {
            for (byte[] bytes : Outsiders.bytes(name)) {
                assertRefused(any, bytes, name);
            }
        }
    }

    static List<String> outsiders() {
        return Outsiders.NAMES;
    }

    /** Kryo looks in its own loader for what the application's does not have, JDK streams in that of who called. */
    @Test
    void norIsOneThatOnlyTheLoaderOfThisModuleKnows() throws Exception {
        try (URLClassLoader apart = new URLClassLoader(new URL[0], ClassLoader.getPlatformClassLoader());
                GuardedCodec codec = codec(apart)) {
            for (byte[] bytes : Canaries.bytes()) {
                assertRefused(codec, bytes, NAME + " is not in ");
            }
        }
        try (GuardedCodec any = new GuardedCodec(ClassLoader::getPlatformClassLoader, Set.of(), "", ClassList.any())) {
            byte[] library = kryo(org.jgroups.Message.Flag.class.getName());
            assertRefused(any, library, "org.jgroups.Message$Flag is not a class of the application");
        }
    }

    /** Kryo's form of an object of the class with this name: its name is its first use, and so spelled out. */
    private static byte[] kryo(String className) {
        Output out = new Output(64, -1);
        out.writeByte(0);
        out.writeVarInt(1, true); // A class by its name.
        out.writeVarInt(0, true); // The first one.
        out.writeString(className);
        out.writeVarInt(Kryo.NOT_NULL, true);
        out.writeBytes(new byte[64]);
        return out.toBytes();
    }

    @Test
    void classesAreNoValuesOfKryo() throws Exception {
        Output out = new Output(64, -1);
        out.writeByte(0);
        plain().writeClassAndObject(out, Canary.class);
        try (GuardedCodec codec = codec(getClass().getClassLoader())) {
            assertRefused(codec, out.toBytes(), "java.lang.Class");
        }
    }

    /** Writes as the codec's would, but whatever it is given. */
    private static Kryo plain() {
        Kryo kryo = new Kryo(
                new KindResolver(new ClassFilter(() -> null, Set.of(), "", ClassList.any())),
                new MapReferenceResolver());
        kryo.setRegistrationRequired(false);
        kryo.setReferences(true);
        kryo.setOptimizedGenerics(false);
        CompatibleFieldSerializerConfig fields = new CompatibleFieldSerializerConfig();
        fields.setReadUnknownFieldData(true);
        fields.setExtendedFieldNames(true);
        kryo.setDefaultSerializer(new CompatibleFieldSerializerFactory(fields));
        return kryo;
    }

    /** Otherwise one class of the application that asks for it, for whatever reason, would be a way round the filter. */
    @Test
    void noJdkStreamIsReadWithinKryo() throws Exception {
        Smuggler smuggler = new Smuggler();
        smuggler.load = new Explosive();
        FieldSmuggler field = new FieldSmuggler();
        field.load = new Explosive();
        for (Object value :
                List.of(smuggler, field, new ArrayList<>(List.of(smuggler)), new ArrayList<>(List.of(field)))) {
            Output out = new Output(64, -1);
            out.writeByte(0);
            plain().writeClassAndObject(out, value);
            try (GuardedCodec codec = codec(getClass().getClassLoader(), Smuggler.class, FieldSmuggler.class)) {
                // The codec's own serializer of fields passes over what a field asks for.
                assertRefused(codec, out.toBytes(), value.toString().contains("Field") ? "" : "Smuggler");
                // A JDK stream has no use for such wishes.
                assertRefused(codec, Canaries.jdk(value), Explosive.class.getName() + " is not in ");
                NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(value));
                assertTrue(refused.getMessage().contains(Explosive.class.getName()), refused.getMessage());
            }
        }
    }

    static Stream<Arguments> locked() {
        return Stream.<Object>of(
                        new PriorityBlockingQueue<>(List.of(1)),
                        new LinkedBlockingQueue<>(List.of(1)),
                        new LinkedBlockingDeque<>(List.of(1)))
                .map(Arguments::of);
    }

    /** They write their locks while they hold them; what lets go of those when they are read is in a class that bytes can hide. */
    @ParameterizedTest
    @MethodSource("locked")
    void aQueueDoesNotWaitForItsLockForever(Object queue) throws Exception {
        byte[] bytes = Canaries.jdk(queue);
        try (GuardedCodec codec = codec(getClass().getClassLoader())) {
            assertEquals(queue.toString(), codec.decode(bytes).toString());
            byte[] locked = new String(bytes, StandardCharsets.ISO_8859_1)
                    .replace("ReentrantLock$Sync", "ReentrantLock$Sink")
                    .getBytes(StandardCharsets.ISO_8859_1);
            assertTimeoutPreemptively(LIMIT, () -> assertRefused(codec, locked, "lock"));
        }
    }
}
