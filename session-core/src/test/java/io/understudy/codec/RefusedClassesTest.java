package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.classes.ClassList;
import java.lang.reflect.Array;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A refusal names all classes that are in the way, and what the setting has to be. */
@Tag("rules")
class RefusedClassesTest {

    private static final String ONE = "org.eclipse.jetty.util.One";
    private static final String TWO = "org.apache.catalina.session.Two";
    private static final String THREE = "org.apache.tomcat.util.Three";

    /** Only JDK streams write it. */
    private static final String STREAMED = "org.eclipse.jetty.util.Streamed";

    /** Shared by applications, as the container's classes are; those of the shop are of no container. */
    private final Compiled shared = Compiled.loader(Map.ofEntries(
            container(ONE, ""),
            container(TWO, ""),
            container(THREE, ""),
            container(STREAMED, "private void readObject(java.io.ObjectInputStream in) throws Exception {}"),
            shop("BecomesOne", "private Object readResolve() { return new " + ONE + "(); }"),
            shop("BecomesTwo", "protected Object readResolve() { return new " + TWO + "(); }"),
            shop("BecomesOneArray", "private Object readResolve() { return new " + ONE + "[0][0]; }"),
            shop("BecomesCart", "private Object readResolve() { return new Cart(); }"),
            shop("WrittenAsOne", "private Object writeReplace() { return new " + ONE + "(); }"),
            shop("WrittenAsStreamed", "private Object writeReplace() { return new " + STREAMED + "(); }"),
            shop("WrittenAsBecomesTwo", "private Object writeReplace() { return new BecomesTwo(); }"),
            shop(
                    "Full",
                    "private Object readResolve() throws java.io.ObjectStreamException {"
                            + " throw new java.io.InvalidObjectException(\"full\"); }"),
            shop("Bare", "public Object bare = new Object() { };"),
            shop("Cart", "public Object item;")));

    private final URLClassLoader application = new URLClassLoader(new URL[0], shared);
    private final GuardedCodec codec = codec("");

    private static Map.Entry<String, String> container(String name, String members) {
        int dot = name.lastIndexOf('.');
        return Map.entry(
                name,
                "package " + name.substring(0, dot) + "; public class " + name.substring(dot + 1)
                        + " implements java.io.Serializable {" + members + "}");
    }

    private static Map.Entry<String, String> shop(String name, String members) {
        return container("shop." + name, members);
    }

    private GuardedCodec codec(String attributeFilter) {
        return new GuardedCodec(() -> application, Set.of(), attributeFilter, ClassList.any());
    }

    @AfterEach
    void close() throws Exception {
        codec.close();
        application.close();
        shared.close();
    }

    private Object of(String name) throws Exception {
        return shared.loadClass(name).getConstructor().newInstance();
    }

    private Object arrayOf(String name) throws Exception {
        return Array.newInstance(shared.loadClass(name), 1);
    }

    private Object cart(Object item) throws Exception {
        Object cart = of("shop.Cart");
        cart.getClass().getField("item").set(cart, item);
        return cart;
    }

    private String refusal(Object value) {
        return assertThrows(NotReplicableException.class, () -> codec.encode(value))
                .getMessage();
    }

    /** The one line for the setting is of these classes, and with it the value comes back. */
    private void assertOneLine(Object value, String... classes) throws Exception {
        String refusal = refusal(value);
        assertEquals(1, occurrences(refusal, "'attributeFilter'"), refusal);
        int begin = refusal.indexOf(": '") + 3;
        String setting = refusal.substring(begin, refusal.indexOf('\'', begin));
        assertEquals(new TreeSet<>(List.of(classes)), new TreeSet<>(Arrays.asList(setting.split(";"))), refusal);
        try (GuardedCodec allowing = codec(setting)) {
            allowing.decode(allowing.encode(value));
        }
    }

    private static int occurrences(String text, String word) {
        return text.split(word, -1).length - 1;
    }

    @Test
    void eachValueOfAClassHasItsOwnList() throws Exception {
        assertOneLine(new ArrayList<>(List.of(of(ONE), of(TWO))), ONE, TWO);
        assertOneLine(new ArrayList<>(List.of(of(ONE), of(THREE))), ONE, THREE);
        assertOneLine(new ArrayList<>(List.of(of(ONE))), ONE);
        Map<String, Object> map = new HashMap<>(Map.of("a", cart(of(STREAMED))));
        assertOneLine(map, STREAMED);
        map.put("b", of(TWO));
        assertOneLine(map, STREAMED, TWO);
    }

    @Test
    void anArrayIsNamedByItsElements() throws Exception {
        assertOneLine(new ArrayList<>(List.of(arrayOf(ONE), of(TWO))), ONE, TWO);
        assertOneLine(arrayOf(ONE), ONE);
        assertOneLine(new Object[] {cart(Array.newInstance(shared.loadClass(ONE), 1, 1)), of(STREAMED)}, ONE, STREAMED);
    }

    @Test
    void allThatReadResolvePutsInPlaceIsNamed() throws Exception {
        assertOneLine(new ArrayList<>(List.of(of("shop.BecomesOne"), of("shop.BecomesTwo"))), ONE, TWO);
        assertOneLine(new ArrayList<>(List.of(of("shop.BecomesTwo"), of(ONE))), ONE, TWO);
        assertOneLine(new ArrayList<>(List.of(of("shop.BecomesOneArray"), of(STREAMED))), ONE, STREAMED);
        assertOneLine(new ArrayList<>(List.of(of("shop.WrittenAsBecomesTwo"), of("shop.WrittenAsOne"))), ONE, TWO);
    }

    /** A list that takes no null can't be read without its elements. */
    @Test
    void unreadablePartsHideNoOtherClass() throws Exception {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("a", List.of(of(STREAMED), of("shop.BecomesOne")));
        map.put("b", of("shop.BecomesTwo"));
        assertOneLine(map, STREAMED, ONE, TWO);
    }

    /** Not first by a peer that reads it: what is written here is also read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "shop.BecomesOne",
                "shop.BecomesTwo",
                "shop.BecomesOneArray",
                "shop.WrittenAsOne",
                "shop.WrittenAsStreamed",
                "shop.WrittenAsBecomesTwo",
                ONE,
                STREAMED
            })
    void theWriterRefusesWhatTheReaderWould(String name) throws Exception {
        String refused = name.contains("Two") ? TWO : name.contains("Streamed") ? STREAMED : ONE;
        Object value = of(name);
        for (Object each : List.of(
                value,
                cart(value),
                new Object[] {value},
                new ArrayList<>(List.of("x", value)),
                new HashMap<>(Map.of("k", cart(value))),
                Map.of("k", List.of(value)))) {
            assertOneLine(each, refused);
        }
    }

    @Test
    void whatMayTakeItsPlaceIsWritten() throws Exception {
        Object value = codec.decode(codec.encode(new ArrayList<>(List.of(of("shop.BecomesCart")))));
        assertEquals("shop.Cart", ((List<?>) value).get(0).getClass().getName());
    }

    @Test
    void otherReasonsStandBesideTheList() throws Exception {
        String refusal = refusal(new ArrayList<>(List.of(of("shop.Bare"), of(ONE), of("shop.BecomesTwo"))));
        assertTrue(refusal.contains("shop.Bare$1 does not implement java.io.Serializable"), refusal);
        assertTrue(refusal.contains("'" + ONE + ";" + TWO + "'"), refusal);
        String thrown = refusal(of("shop.Full"));
        assertTrue(thrown.contains("full"), thrown);
        assertFalse(thrown.contains("attributeFilter"), thrown);
    }

    /** JDK streams, by which classes are looked for, are larger than Kryo's bytes. */
    @Test
    void aValueNearTheLimitIsLookedAtWhole() throws Exception {
        List<Object> value = new ArrayList<>(List.of(of(ONE)));
        for (int i = 0; i < 300; i++) {
            value.add(cart(null));
        }
        value.add(of(TWO));
        try (GuardedCodec allowing = codec(ONE + ";" + TWO)) {
            int bytes = allowing.encode(value).length;
            assertEquals(0, allowing.encode(value)[0]);
            String refusal = assertThrows(NotReplicableException.class, () -> codec.encode(value, bytes))
                    .getMessage();
            assertTrue(refusal.contains("'" + ONE + ";" + TWO + "'"), refusal);
        }
    }

    @Test
    void aValueFarAboveTheLimitIsRefusedByName() throws Exception {
        List<Object> value = new ArrayList<>(List.of(of(ONE)));
        for (int i = 0; i < 3000; i++) {
            value.add(cart("x".repeat(100) + i));
        }
        String refusal = assertThrows(NotReplicableException.class, () -> codec.encode(value, 10_000))
                .getMessage();
        assertTrue(refusal.contains("'" + ONE + "'"), refusal);
    }

    @Test
    void theDepthStandsBesideTheList() throws Exception {
        Object chain = "end";
        for (int depth = 0; depth < 300; depth++) {
            chain = cart(chain);
        }
        String refusal = refusal(new Object[] {chain, of(ONE)});
        assertTrue(refusal.contains("depth"), refusal);
        assertTrue(refusal.contains("'" + ONE + "'"), refusal);
    }

    @Test
    void whatIsInAnOptionalIsLookedAt() throws Exception {
        assertOneLine(new ArrayList<>(List.of(of(TWO), Optional.of(of(ONE)))), ONE, TWO);
        String streamed = refusal(new ArrayList<>(List.of(of(STREAMED), Optional.of(of(ONE)))));
        assertTrue(streamed.contains("java.util.Optional does not implement java.io.Serializable"), streamed);
        assertTrue(streamed.contains("'" + STREAMED + ";" + ONE + "'"), streamed);
    }

    @Test
    void anArrayOfUrlsComesBack() throws Exception {
        URL[] urls = {new URL("http://localhost/a")};
        Object copy = codec.decode(codec.encode(new ArrayList<Object>(List.of(urls, "x"))));
        assertEquals("http://localhost/a", assertInstanceOf(URL[].class, ((List<?>) copy).get(0))[0].toString());
    }
}
