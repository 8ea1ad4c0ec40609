package io.understudy.codec;

import static io.understudy.codec.HardToRestore.*;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.Util;
import com.esotericsoftware.minlog.Log;
import io.understudy.codec.classes.ClassList;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("JavaUtilDate") // Sessions hold them.
@Tag("rules")
class GuardedCodecTest {

    private static final String UNSAFE = System.getProperty("kryo.unsafe");

    private record Hidden(Line line, List<Line> more, char c) implements Serializable {}

    private final GuardedCodec codec =
            new GuardedCodec(GuardedCodecTest.class::getClassLoader, Set.of(), "", ClassList.any());

    static Stream<Object> values() {
        Bean bean = new Bean("b");
        Line line = new Line("p", 2, bean);
        Map<Plain, Bean> byEnum = new EnumMap<>(Plain.class);
        byEnum.put(Plain.TWO, bean);
        NamedList named = new NamedList("n");
        named.add("x");
        Map<String, Object> nested = new LinkedHashMap<>();
        nested.put("z", new TreeMap<>(Map.of("k", bean)));
        nested.put("a", new BigDecimal("2.50"));
        Map<String, Integer> ignoringCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        ignoringCase.put("Key", 1);
        List<Object> withNull = new ArrayList<>();
        withNull.add(null);
        return Stream.of(
                "text with é and 中 and \uD83D\uDE00",
                "",
                true,
                (byte) -1,
                'x',
                (short) -2,
                Integer.MIN_VALUE,
                Long.MAX_VALUE,
                1.5f,
                Double.NaN,
                new BigDecimal("1.10"),
                BigInteger.TEN.pow(40),
                Optional.of("o"),
                UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"),
                URI.create("http://a/b?c"),
                Currency.getInstance("EUR"),
                Locale.forLanguageTag("zh-Hant-TW"),
                Instant.ofEpochSecond(5, 7),
                LocalDate.of(2026, 2, 28),
                ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneId.of("Europe/Berlin")),
                Duration.ofNanos(12345),
                new Date(123_456),
                nanos(),
                bean,
                new SpecialBean("s"),
                line,
                new Hidden(line, List.of(line), 'h'),
                Plain.ONE,
                WithBody.DOWN,
                new ArrayList<>(List.of(bean, line)),
                new HashMap<>(Map.of("k", bean)),
                nested,
                ignoringCase,
                withNull,
                byEnum,
                EnumSet.of(Plain.ONE),
                List.of(1, 2, 3),
                Set.of("a"),
                Map.of("k", 1),
                Collections.unmodifiableList(new ArrayList<>(List.of("u"))),
                Collections.synchronizedMap(new HashMap<>(Map.of("k", "v"))),
                new ConcurrentHashMap<>(Map.of("k", bean)),
                Arrays.asList("x", null),
                new External(5),
                new Replaced("r"),
                named);
    }

    private static Timestamp nanos() {
        Timestamp time = new Timestamp(1000);
        time.setNanos(123_456_789);
        return time;
    }

    @ParameterizedTest
    @MethodSource("values")
    void aValueComesBackEqualAndOfItsClass(Object value) throws Exception {
        Object copy = copy(value);
        assertEquals(value, copy);
        assertSame(value.getClass(), copy.getClass());
        assertEquals(value, copy(value), "the second time, with what the codec learned");
        if (value instanceof TreeMap<?, ?> || value instanceof LinkedHashMap<?, ?>) {
            assertEquals(value.toString(), copy.toString(), "in the same order");
        }
    }

    @Test
    void singletonsAndConstantsAreStillThemselves() throws Exception {
        assertSame(Single.INSTANCE, copy(Single.INSTANCE));
        assertSame(WithBody.UP, copy(WithBody.UP));
        assertEquals(1, ((WithBody) copy(WithBody.UP)).step());
    }

    @Test
    void cyclesAndSharedReferencesInsideAValueAreKept() throws Exception {
        Node node = new Node();
        node.next = new Node();
        node.next.next = node;
        node.others.add(node.next);
        node.others.add(node.next);
        Node copy = (Node) copy(node);
        assertNotSame(node, copy);
        assertSame(copy, copy.next.next);
        assertSame(copy.next, copy.others.get(0));
        assertSame(copy.others.get(0), copy.others.get(1));
    }

    /** With initial values that its constructor gives. */
    private static final class Initialized implements Serializable {
        private static final long serialVersionUID = 1L;
        private List<String> tags = new ArrayList<>(List.of("new"));
        private transient Object lock = new Object();
    }

    @Test
    void noConstructorPutsBackWhatWasCleared() throws Exception {
        Initialized cleared = new Initialized();
        cleared.tags = null;
        byte[] bytes = codec.encode(cleared);
        assertEquals(0, bytes[0], "by Kryo");
        Initialized copy = (Initialized) codec.decode(bytes);
        assertNull(copy.tags);
        assertNull(copy.lock, "as in a JDK stream");
        assertArrayEquals(bytes, codec.encode(copy), "or it would look changed to who reads it");
    }

    @Test
    void arraysComeBack() throws Exception {
        assertEquals(Arrays.asList(1, null), Arrays.asList((Object[]) copy(new Integer[] {1, null})));
        assertTrue(Arrays.equals(new byte[] {1, -1}, (byte[]) copy(new byte[] {1, -1})));
    }

    @Test
    void whatCannotBeRestoredIsRefusedByName() {
        for (Object value : List.of(new NotSerializableBean(), new Holder(), List.of(new Holder()), new Thread("t"))) {
            NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(value));
            String culprit = value instanceof Thread ? "java.lang.Thread" : NotSerializableBean.class.getName();
            assertTrue(refused.getMessage().contains(culprit), refused.getMessage());
            assertFalse(refused.changing(), refused.getMessage());
        }
    }

    @Test
    void aClassOnlyTheApplicationHasIsFoundByItsLoader() throws Exception {
        try (URLClassLoader loader = Compiled.loader(
                "shop.Cart",
                "package shop; public class Cart implements java.io.Serializable { public int n = 5;"
                        + " public java.util.List<Cart> inner = new java.util.ArrayList<>(); }")) {
            Object cart = loader.loadClass("shop.Cart").getConstructor().newInstance();
            GuardedCodec theirs = new GuardedCodec(() -> loader, Set.of(), "", ClassList.any());
            for (Object value : List.of(cart, new LinkedHashMap<>(Map.of("k", cart)))) {
                byte[] bytes = theirs.encode(value);
                Object copy = theirs.decode(bytes);
                Object element = copy instanceof Map<?, ?> map ? map.get("k") : copy;
                assertSame(loader, element.getClass().getClassLoader());
                assertEquals(5, element.getClass().getField("n").get(element));
                NotDecodableException missing = assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
                assertTrue(missing.getMessage().contains("shop.Cart"), missing.getMessage());
            }
            assertEquals(new Bean("b"), copy(new Bean("b")), "a failure before this poisons nothing");
        }
    }

    /** Answers with its name. */
    record Answer(String name) implements InvocationHandler, Serializable {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return name;
        }
    }

    @Test
    void aProxyOfAnInterfaceOnlyTheApplicationHasComesBack() throws Exception {
        try (URLClassLoader loader =
                Compiled.loader("shop.Named", "package shop; public interface Named { String name(); }")) {
            Class<?> named = loader.loadClass("shop.Named");
            Object proxy = Proxy.newProxyInstance(loader, new Class<?>[] {named}, new Answer("n"));
            GuardedCodec theirs = new GuardedCodec(() -> loader, Set.of(), "", ClassList.any());
            Object copy = theirs.decode(theirs.encode(proxy));
            assertEquals("n", named.getMethod("name").invoke(copy));
        }
    }

    @Test
    void aGadgetIsNeitherEncodedNorDecoded() throws Exception {
        String name = "org.apache.commons.collections.functors.InvokerTransformer";
        try (URLClassLoader loader = Compiled.loader(
                name,
                "package org.apache.commons.collections.functors;"
                        + " public class InvokerTransformer implements java.io.Serializable {}")) {
            Object gadget = loader.loadClass(name).getConstructor().newInstance();
            GuardedCodec theirs = new GuardedCodec(() -> loader, Set.of(), "", ClassList.any());
            NotReplicableException refused = assertThrows(NotReplicableException.class, () -> theirs.encode(gadget));
            assertTrue(refused.getMessage().contains(name), refused.getMessage());
            assertFalse(refused.changing(), refused.getMessage());
            for (byte[] bytes : List.of(kryoBytes(loader, gadget), Canaries.jdk(gadget))) {
                assertThrows(NotDecodableException.class, () -> theirs.decode(bytes));
            }
        }
    }

    /** As a hostile member would write it. */
    private static byte[] kryoBytes(ClassLoader loader, Object value) {
        Kryo kryo = new Kryo();
        kryo.setClassLoader(loader);
        kryo.setRegistrationRequired(false);
        kryo.setReferences(true);
        Output out = new Output(512, -1);
        out.writeByte(0);
        kryo.writeClassAndObject(out, value);
        return out.toBytes();
    }

    @Test
    void aListThatAnotherThreadChangesEndsInBytesOrIsCalledChanging() throws Exception {
        List<Bean> list = new ArrayList<>();
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int i = 0; !stop.get(); i++) {
                if (i % 100 < 50) {
                    list.add(new Bean("b" + i));
                } else {
                    list.remove(list.size() - 1);
                }
            }
        });
        writer.start();
        try {
            for (int i = 0; i < 3000; i++) {
                try {
                    byte[] bytes = codec.encode(list);
                    for (Object element : (List<?>) codec.decode(bytes)) {
                        assertTrue(element == null || element instanceof Bean, "decoded " + element);
                    }
                } catch (NotReplicableException e) {
                    assertTrue(e.changing(), e.toString());
                }
            }
        } finally {
            stop.set(true);
            writer.join();
        }
        assertEquals(new Bean("b"), copy(new Bean("b")));
    }

    @Test
    void damagedBytesAreRefusedAndPoisonNothing() throws Exception {
        List<Object> value = new ArrayList<>(List.of(new Bean("b"), new Line("p", 1, new Bean("c"))));
        byte[] bytes = codec.encode(value);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(NotDecodableException.class, () -> codec.decode(cut), "cut at " + length);
            assertEquals(value, assertDoesNotThrow(() -> codec.decode(bytes)));
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        assertThrows(NotDecodableException.class, () -> codec.decode(longer), "bytes left over");
    }

    @Test
    void aDeepGraphIsRefusedForGood() {
        Node first = new Node();
        Node last = first;
        for (int i = 0; i < 100_000; i++) {
            last.next = new Node();
            last = last.next;
        }
        NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(first));
        assertFalse(refused.changing(), refused.getMessage());
    }

    @Test
    void theSwitchOfKryoForOtherCopiesIsLeftAsItWas() throws Exception {
        copy("used");
        assertEquals(UNSAFE, System.getProperty("kryo.unsafe"));
        assertFalse(Util.unsafe, "the copy of the codec");
        URL kryo = Util.class.getProtectionDomain().getCodeSource().getLocation();
        URL log = Log.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader application =
                new URLClassLoader(new URL[] {kryo, log}, ClassLoader.getPlatformClassLoader())) {
            assertEquals(
                    UNSAFE == null || Boolean.parseBoolean(UNSAFE),
                    application
                            .loadClass(Util.class.getName())
                            .getField("unsafe")
                            .get(null),
                    "the copy of an application");
        }
    }

    private Object copy(Object value) throws Exception {
        return codec.decode(codec.encode(value));
    }

    /** Else a node would send what no other one can read. */
    @ParameterizedTest
    @ValueSource(ints = {10, 200, 250, 251, 252, 253, 254, 255, 256, 257, 258, 300, 400, 900})
    void whatNestsTooDeepToBeReadIsNotWritten(int depth) throws Exception {
        for (Object first : List.of("for Kryo", Locale.US)) {
            Node chain = new Node();
            for (int i = 1; i < depth; i++) {
                Node node = new Node();
                node.next = chain;
                chain = node;
            }
            chain.others.add(chain);
            Object value = new Object[] {first, chain};
            byte[] bytes;
            try {
                bytes = codec.encode(value);
            } catch (NotReplicableException e) {
                assertTrue(depth > 250, e::toString);
                continue;
            }
            assertTrue(depth < 258, "written, " + depth + " deep");
            codec.decode(bytes);
        }
    }

    @Test
    void whatIsWideButNotDeepIsWritten() throws Exception {
        List<Object> wide = new ArrayList<>(List.of(Locale.US));
        for (int i = 0; i < 20_000; i++) {
            wide.add(new Node());
        }
        assertEquals(20_001, ((List<?>) codec.decode(codec.encode(wide))).size());
    }
}
