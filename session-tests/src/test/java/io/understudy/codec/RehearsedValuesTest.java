package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.understudy.codec.NotDecodableException.Reason;
import io.understudy.codec.classes.ClassList;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which values a rehearsal reports, and which not. */
@Tag("rules")
class RehearsedValuesTest {

    private static final String SERIAL = " private static final long serialVersionUID = 1;";

    private static final class Key implements Serializable {

        private static final long serialVersionUID = 1;
    }

    private enum Size {
        SMALL,
        LARGE
    }

    private record Pair(Object first, Object second) implements Serializable {}

    /** Writes other bytes each time. */
    private static final class Dated implements Serializable {

        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.writeLong(System.nanoTime());
        }

        private void readObject(ObjectInputStream in) throws IOException {
            in.readLong();
        }
    }

    private static final class Single implements Serializable {

        private static final long serialVersionUID = 1;
        private static final Single ONE = new Single();

        private Object readResolve() {
            return ONE;
        }
    }

    private static GuardedCodec codec(Supplier<ClassLoader> loader) {
        return new GuardedCodec(loader, Set.of(), "", ClassList.any());
    }

    private static Stream<Arguments> valuesOfAllKinds() {
        Map<Object, Object> roomy = new HashMap<>(512);
        IdentityHashMap<Object, Object> byIdentity = new IdentityHashMap<>();
        Set<Object> keys = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            roomy.put("name " + i * 31, i);
            byIdentity.put(new Key(), i);
            keys.add(new Key());
        }
        List<Object> circle = new ArrayList<>();
        circle.add(circle);
        circle.add(circle);
        return Stream.of(
                arguments("roomy", roomy),
                arguments("identity", byIdentity),
                arguments("keys", keys),
                arguments("circle", circle),
                arguments("enums", new HashSet<>(List.of(Size.SMALL, Size.LARGE))),
                arguments("pair", new Pair(new int[] {1, 2}, new Pair("a", null))),
                arguments("locale", new ArrayList<>(List.of(Locale.FRENCH, Locale.ROOT))),
                arguments("dated", new Dated()),
                arguments("single", Single.ONE),
                arguments("text", "tea"));
    }

    /** Bytes of copies differ: tables have another order, a class writes other bytes each time. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("valuesOfAllKinds")
    void equalValuesAreNoFailureWhateverTheirBytes(String name, Object value) throws Exception {
        try (GuardedCodec codec = codec(RehearsedValuesTest.class::getClassLoader)) {
            byte[] bytes = codec.encode(value);
            for (int i = 0; i < 3; i++) {
                assertEquals(Set.of(), codec.apart().rehearse(bytes), name);
            }
        }
    }

    private static Set<String> lost(Map<String, String> written, Map<String, String> here) throws Exception {
        Compiled writer = Compiled.loader(written);
        Compiled reader = Compiled.loader(here);
        try (GuardedCodec from = codec(() -> writer);
                GuardedCodec to = codec(() -> reader)) {
            Object value = writer.loadClass("shop.Cart").getConstructor().newInstance();
            return to.apart().rehearse(from.encode(value));
        }
    }

    private static String cart(String members) {
        return "package shop; public class Cart implements java.io.Serializable {" + SERIAL + members + "}";
    }

    @Test
    void aComponentOfARecordIsLostIfItHasAValue() throws Exception {
        String item = "package shop; public record Item(%s) implements java.io.Serializable {}";
        String cart = cart(" public Object item = new Item(%s);");
        assertEquals(
                Set.of("shop.Item.gift"),
                lost(
                        Map.of(
                                "shop.Cart", cart.formatted("5, \"ribbon\", null, 0"),
                                "shop.Item", item.formatted("int number, String gift, String note, int count")),
                        Map.of("shop.Cart", cart.formatted("5"), "shop.Item", item.formatted("int number"))));
    }

    /** The field of a superclass is in the bytes of each class below. */
    @Test
    void aClassThatReadsItselfIsNotJudged() throws Exception {
        String base = "package shop; public class Base implements java.io.Serializable {" + SERIAL
                + "%s private void readObject(java.io.ObjectInputStream in)"
                + " throws java.io.IOException, ClassNotFoundException { in.readFields(); } }";
        String cart = "package shop; public class Cart extends Base {" + SERIAL + " public int items = 5; }";
        assertEquals(
                Set.of(),
                lost(
                        Map.of("shop.Cart", cart, "shop.Base", base.formatted(" public int number = 7;")),
                        Map.of("shop.Cart", cart, "shop.Base", base.formatted(""))));
    }

    @Test
    void aFailureCostsRequestsNoKryo() throws Exception {
        Compiled shop = Compiled.loader("shop.Cart", cart(""));
        byte[] unknown;
        try (GuardedCodec codec = codec(() -> shop)) {
            unknown = codec.encode(shop.loadClass("shop.Cart").getConstructor().newInstance());
        }
        AtomicInteger asked = new AtomicInteger();
        Supplier<ClassLoader> loader = () -> {
            asked.incrementAndGet();
            return RehearsedValuesTest.class.getClassLoader();
        };
        try (GuardedCodec codec = codec(loader)) {
            byte[] known = codec.encode(new Pair("a", "b"));
            codec.decode(known);
            asked.set(0);
            codec.decode(known);
            int before = asked.get();
            AttributeCodec rehearsals = codec.apart();
            for (int i = 0; i < 5; i++) {
                NotDecodableException failure =
                        assertThrows(NotDecodableException.class, () -> rehearsals.rehearse(unknown));
                assertEquals(Reason.CLASS_MISSING, failure.reason());
            }
            asked.set(0);
            codec.decode(known);
            assertEquals(before, asked.get(), "a new Kryo asks for the loader once more");
        }
    }
}
