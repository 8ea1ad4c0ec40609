package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.HardToRestore.Bean;
import io.understudy.codec.HardToRestore.Holder;
import io.understudy.codec.HardToRestore.Line;
import io.understudy.codec.HardToRestore.NamedList;
import io.understudy.codec.HardToRestore.Plain;
import io.understudy.codec.HardToRestore.SpecialBean;
import io.understudy.codec.HardToRestore.WithBody;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.classes.ClassListFile;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is collected of attributes' classes, and what a list that is enforced lets through. */
@Tag("cluster")
class ClassListTest {

    interface Named {
        String name();
    }

    record Answer(String name) implements InvocationHandler, Serializable {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return name;
        }
    }

    interface Stored extends Supplier<String>, Serializable {}

    static final class Sealed implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Its first field is of a final class, which Kryo does not name where it is declared. */
    static final class Declaring implements Serializable {
        private static final long serialVersionUID = 1L;
        private Sealed never;
        private Sealed[] some = {new Sealed()};

        @Override
        public String toString() {
            return (never == null) + " " + Arrays.toString(some);
        }
    }

    @TempDir
    Path dir;

    private Path file() {
        return dir.resolve("classes.txt");
    }

    private static GuardedCodec codec(ClassLoader loader, ClassList list) {
        return new GuardedCodec(() -> loader, Set.of(), "", list);
    }

    private static GuardedCodec codec(ClassList list) {
        return codec(ClassListTest.class.getClassLoader(), list);
    }

    private Set<String> learned(Object... attributes) throws Exception {
        try (GuardedCodec codec = codec(ClassList.learn(file(), "/shop@n1"))) {
            for (Object attribute : attributes) {
                codec.encode(attribute);
            }
        }
        return ClassListFile.read(file());
    }

    private static Set<String> names(Class<?>... types) {
        return Stream.of(types).map(Class::getName).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Each by the format that it takes. */
    @Test
    void whatIsNestedIsLearnedToo() throws Exception {
        Object kryo = new HashMap<>(Map.of("k", new Line[] {new Line("p", 1, new SpecialBean("s"))}));
        Object jdk = Collections.unmodifiableList(new ArrayList<>(List.of(Plain.ONE, WithBody.UP)));
        assertEquals(0, codec(ClassList.any()).encode(kryo)[0]);
        assertEquals(1, codec(ClassList.any()).encode(jdk)[0]);
        assertEquals(names(Line.class, SpecialBean.class, Bean.class, Plain.class, WithBody.class), learned(kryo, jdk));
        assertEquals(
                names(Line.class, SpecialBean.class, Bean.class, Plain.class, WithBody.class, NamedList.class),
                learned(new NamedList("n")),
                "with those of before");
    }

    @Test
    void declaredTypesOfNothingAreNotAskedFor() throws Exception {
        assertEquals(names(Declaring.class, Sealed.class), learned(new Declaring()));
        try (GuardedCodec codec = codec(ClassList.enforce(file()))) {
            assertEquals(
                    Declaring.class, codec.decode(codec.encode(new Declaring())).getClass());
        }
        Files.writeString(file(), Files.readString(file()).replace(Sealed.class.getName(), ""));
        try (GuardedCodec codec = codec(ClassList.enforce(file()))) {
            Declaring empty = new Declaring();
            empty.some = null;
            assertEquals("true null", codec.decode(codec.encode(empty)).toString());
            assertThrows(NotReplicableException.class, () -> codec.encode(new Declaring()));
        }
    }

    @Test
    void proxiesAndLambdasAreLearnedByTheNamesThatAreTheSameEverywhere() throws Exception {
        Object proxy =
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Named.class}, new Answer("n"));
        Stored lambda = () -> "kept";
        assertEquals(names(Named.class, Answer.class, ClassListTest.class), learned(proxy, lambda));
        try (GuardedCodec codec = codec(ClassList.enforce(file()))) {
            assertEquals("n", ((Named) codec.decode(codec.encode(proxy))).name());
            assertEquals("kept", ((Stored) codec.decode(codec.encode(lambda))).get());
        }
    }

    @Test
    void theFileIsSortedTextThatSaysWhatItIs() throws Exception {
        learned(Plain.ONE, new Bean("b"), "text", Instant.EPOCH, new int[0], new ArrayList<>(List.of(1L)));
        List<String> lines = Files.readAllLines(file());
        assertEquals("# Understudy attribute classes, version 1", lines.get(0));
        assertEquals(
                List.of(Bean.class.getName(), Plain.class.getName()),
                lines.stream().filter(line -> !line.startsWith("#")).toList());
    }

    @Test
    void anApplicationOfValuesHasAnEmptyList() throws Exception {
        assertEquals(Set.of(), learned("text"));
        try (GuardedCodec codec = codec(ClassList.enforce(file()))) {
            assertEquals(List.of(1), codec.decode(codec.encode(List.of(1))));
            assertThrows(NotReplicableException.class, () -> codec.encode(Plain.ONE));
        }
    }

    @Test
    void whatIsRefusedIsNotLearned() throws Exception {
        String gadget = "org.apache.commons.collections.functors.InvokerTransformer";
        try (URLClassLoader loader = Compiled.loader(
                gadget,
                "package org.apache.commons.collections.functors;"
                        + " public class InvokerTransformer implements java.io.Serializable {}")) {
            Object value = loader.loadClass(gadget).getConstructor().newInstance();
            try (GuardedCodec codec = codec(loader, ClassList.learn(file(), "/shop@n1"))) {
                assertThrows(NotReplicableException.class, () -> codec.encode(value));
                assertThrows(
                        NotReplicableException.class, () -> codec.encode(new ArrayList<>(List.of(Plain.ONE, value))));
                assertThrows(NotReplicableException.class, () -> codec.encode(new Holder()));
            }
            assertEquals(Set.of(), ClassListFile.read(file()));
            ClassListFile.add(file(), Set.of(gadget));
            try (GuardedCodec codec = codec(loader, ClassList.enforce(file()))) {
                NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(value));
                assertTrue(
                        refused.getMessage().contains("known for turning deserialization into code execution"),
                        refused.getMessage());
            }
        }
    }

    @Test
    void theSettingOfFiltersRejectsWhatIsListed() throws Exception {
        learned(new Bean("b"));
        try (GuardedCodec codec = new GuardedCodec(
                ClassListTest.class::getClassLoader,
                Set.of(),
                "!" + Bean.class.getName() + ";" + Plain.class.getName(),
                ClassList.enforce(file()))) {
            NotReplicableException refused =
                    assertThrows(NotReplicableException.class, () -> codec.encode(new Bean("b")));
            assertTrue(refused.getMessage().contains("'attributeFilter' rejects"), refused.getMessage());
            assertThrows(NotReplicableException.class, () -> codec.encode(Plain.ONE), "allowed there, but not listed");
        }
    }

    /** Who sends chose what is in it. */
    @Test
    void whatIsDecodedTeachesNothing() throws Exception {
        byte[] kryo = codec(ClassList.any()).encode(new Bean("b"));
        byte[] jdk = codec(ClassList.any()).encode(new NamedList("n"));
        try (GuardedCodec codec = codec(ClassList.learn(file(), "/shop@n1"))) {
            codec.decode(kryo);
            codec.decode(jdk);
        }
        assertEquals(Set.of(), ClassListFile.read(file()));
    }

    static Stream<Arguments> unlisted() {
        return Stream.<Object>of(
                        new Bean("b"),
                        new Line("p", 1, new Bean("b")),
                        new ArrayList<>(List.of(new Bean("b"))),
                        new Bean[0],
                        new SpecialBean("extends it"),
                        Collections.unmodifiableList(new ArrayList<>(List.of(new Bean("b")))))
                .map(Arguments::of);
    }

    @ParameterizedTest
    @MethodSource("unlisted")
    void anotherClassIsRefusedByNameInBothDirections(Object value) throws Exception {
        ClassListFile.add(file(), names(Line.class, SpecialBean.class));
        byte[] bytes = codec(ClassList.any()).encode(value);
        try (GuardedCodec codec = codec(ClassList.enforce(file()))) {
            Exception written = assertThrows(NotReplicableException.class, () -> codec.encode(value));
            Exception read = assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
            for (Exception refused : List.of(written, read)) {
                for (String part : List.of(
                        "class " + Bean.class.getName() + " is not in " + file(), "'attributeClasses'", "learn")) {
                    assertTrue(refused.getMessage().contains(part), refused.getMessage());
                }
            }
        }
    }

    @Test
    void anUnlistedClassOfHostileBytesIsNotInitialized() throws Exception {
        String property = "understudy.canary";
        try (Compiled loader = Compiled.loader(
                "shop.Canary",
                "package shop; public class Canary implements java.io.Serializable {"
                        + " private static final long serialVersionUID = 1L;"
                        + " static { System.setProperty(\"" + property + "\", \"sang\"); } }")) {
            byte[] kryo;
            byte[] jdk;
            try (GuardedCodec theirs = codec(loader, ClassList.any())) {
                Object canary = loader.loadClass("shop.Canary").getConstructor().newInstance();
                kryo = theirs.encode(canary);
                ByteArrayOutputStream stream = new ByteArrayOutputStream();
                stream.write(1);
                try (ObjectOutputStream out = new ObjectOutputStream(stream)) {
                    out.writeObject(canary);
                }
                jdk = stream.toByteArray();
            }
            ClassListFile.add(file(), Set.of());
            for (byte[] bytes : List.of(kryo, jdk)) {
                System.clearProperty(property);
                try (URLClassLoader victim = loader.again();
                        GuardedCodec ours = codec(victim, ClassList.enforce(file()))) {
                    NotDecodableException refused = assertThrows(NotDecodableException.class, () -> ours.decode(bytes));
                    assertTrue(refused.getMessage().contains("class shop.Canary is not in"), refused.getMessage());
                    assertNull(System.getProperty(property));
                }
                try (URLClassLoader willing = loader.again();
                        GuardedCodec ours = codec(willing, ClassList.any())) {
                    assertNotNull(ours.decode(bytes));
                    assertEquals("sang", System.clearProperty(property), "without the list it is");
                }
            }
        }
    }

    @Test
    void classesOfOtherLanguagesHaveNamesThatAreNotJavas() throws Exception {
        Set<String> names =
                Set.of("shop.Cart with space", "shop.Größe$1", "shop.a-b", "s.#x", "s.\\u0041", "s.\uD83D\uDE00");
        ClassListFile.add(file(), names);
        assertEquals(new TreeSet<>(names), ClassListFile.read(file()));
        assertFalse(Files.readString(file()).contains("with space"));
    }
}
