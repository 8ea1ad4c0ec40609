package io.understudy.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.GuardedCodec;
import io.understudy.codec.classes.ClassList;
import io.understudy.doctor.Examined.Use;
import io.understudy.doctor.Shop.Address;
import io.understudy.doctor.Shop.Cached;
import io.understudy.doctor.Shop.Cart;
import io.understudy.doctor.Shop.Forgetful;
import io.understudy.doctor.Shop.Item;
import io.understudy.doctor.Shop.Label;
import io.understudy.doctor.Shop.Line;
import io.understudy.doctor.Shop.Lock;
import io.understudy.doctor.Shop.NamedList;
import io.understudy.doctor.Shop.Node;
import io.understudy.doctor.Shop.OneWay;
import io.understudy.doctor.Shop.OwnWay;
import io.understudy.doctor.findings.Finding;
import io.understudy.doctor.findings.Kind;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the doctor finds in one attribute, encoded as applications' attributes are. */
@SuppressWarnings("JavaUtilDate") // Sessions hold them.
@Tag("rules")
class SessionDoctorTest {

    private final GuardedCodec codec = new GuardedCodec(Shop.class::getClassLoader, Set.of(), "", ClassList.any());
    private final SessionDoctor doctor =
            new SessionDoctor("/shop@n1", codec, Shop.class::getClassLoader, 1 << 20, 1 << 24);

    private List<Finding> examine(Object value) {
        doctor.examine(List.of(new Examined("cart", value, Use.USED, () -> null, () -> true)), 0);
        return doctor.findings();
    }

    private static String brief(Finding finding) {
        return finding.kind() + " " + finding.path() + ": " + finding.text();
    }

    private void finds(Object value, String... expected) {
        assertEquals(
                List.of(expected),
                examine(value).stream().map(SessionDoctorTest::brief).toList());
    }

    static Stream<Object> sound() {
        Cart cart = Cart.of(3);
        cart.notes.put("a", cart.items.get(0));
        cart.notes.put(new Line(cart.items.get(1), 2), cart);
        cart.shipTo = new Address("Bern");
        Node ring = Node.chain(2);
        ring.next.next = ring;
        ring.value = new Object[] {ring, null, new int[] {1, 2}, new double[] {Double.NaN}};
        Set<Item> byIdentity = new HashSet<>();
        for (int i = 0; i < 50; i++) {
            byIdentity.add(new Item("i" + i));
        }
        NamedList named = new NamedList();
        named.add(cart);
        Map<Object, Object> accessOrder = new LinkedHashMap<>(16, 0.75f, true);
        accessOrder.put("a", 1);
        accessOrder.put("b", 2);
        Set<Object> self = new HashSet<>();
        self.add(new ArrayList<>(List.of("x")));
        Map<TimeUnit, Item> byEnum = new EnumMap<>(TimeUnit.class);
        byEnum.put(TimeUnit.DAYS, new Item("d"));
        return Stream.of(
                "text",
                cart,
                ring,
                byIdentity,
                named,
                accessOrder,
                self,
                byEnum,
                EnumSet.of(TimeUnit.DAYS),
                Locale.forLanguageTag("zh-Hant-TW"),
                new Timestamp(1_700_000_000_123L),
                new Date(1),
                TimeZone.getTimeZone("Europe/Zurich"),
                Instant.EPOCH,
                UUID.randomUUID(),
                Pattern.compile("a+b", Pattern.CASE_INSENSITIVE),
                new AtomicInteger(3),
                new AtomicReference<>(new Item("r")),
                Optional.of(new Item("o")),
                new AbstractMap.SimpleEntry<>("k", new Item("v")),
                new ReentrantLock(),
                new IllegalStateException("e", new RuntimeException("cause")),
                new TreeSet<>(Collections.reverseOrder()),
                new TreeMap<>(Map.of("k", new Item("i"))),
                new ConcurrentHashMap<>(Map.of(1L, List.of(new Item("i")))),
                new CopyOnWriteArrayList<>(List.of(1, "2")),
                new ArrayDeque<>(List.of(new Item("i"))),
                Arrays.asList(new Item("i"), null),
                Collections.unmodifiableMap(new HashMap<>(Map.of("k", new Item("i")))),
                ConcurrentHashMap.newKeySet(),
                List.of(new Item("i")),
                Set.of("a", "b", "c"));
    }

    @ParameterizedTest
    @MethodSource("sound")
    void whatComesBackAsItWasIsNoFinding(Object value) {
        finds(value);
        assertTrue(doctor.sizes().get("cart") > 0);
        assertEquals(0, doctor.failures());
    }

    @Test
    void aFieldThatIsLostIsNamedByItsPath() {
        Cart cart = Cart.of(5);
        cart.items.set(3, new Forgetful("f"));
        finds(cart, "DIFFERENT cart.items[3].price: was 9.95, comes back as null");
        Finding finding = doctor.findings().get(0);
        assertEquals(Item.class.getName(), finding.type());
        assertTrue(finding.bytes() > 0);
        assertTrue(
                finding.toString()
                        .startsWith("attribute 'cart' (" + finding.bytes()
                                + " bytes), cart.items[3].price: was 9.95, comes back as null (DIFFERENT, "),
                finding.toString());
    }

    @Test
    void oneCauseIsToldOnceWhereverItIsMet() {
        Cart cart = Cart.of(0);
        for (int i = 0; i < 100; i++) {
            cart.items.add(new Forgetful("f"));
        }
        examine(cart);
        examine(Cart.of(1));
        cart.items.add(0, new Item("i"));
        assertEquals(1, examine(cart).size(), doctor.findings()::toString);
    }

    @Test
    void inMapsTheKeyIsInThePath() {
        Cart cart = Cart.of(1);
        cart.notes.put("gift", new Forgetful("f"));
        cart.notes.put("plain", new Item("i"));
        finds(
                Map.of("a", List.of(cart)),
                "DIFFERENT cart[\"a\"][0].notes[\"gift\"].price: was 9.95, comes back as null");
    }

    @Test
    void inSetsOfWhatHasNoEqualsTheOneThatDiffersIsFound() {
        Set<Item> items = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            items.add(new Item("i" + i));
        }
        items.add(new Forgetful("f"));
        List<Finding> findings = examine(items);
        assertEquals(1, findings.size(), findings::toString);
        assertTrue(findings.get(0).path().matches("cart\\[\\d+]\\.price"), findings::toString);
    }

    @Test
    void whatIsNotSerializableIsNamedAndNotOnlyTheClass() {
        Cart cart = Cart.of(4);
        cart.items.get(3).extra = new Object[] {"x", new Line(new Item("deep"), 1), null};
        ((Line) ((Object[]) cart.items.get(3).extra)[1]).item().extra = new Lock();
        finds(cart, "NOT_ENCODED cart.items[3].extra[1].item.extra: does not implement java.io.Serializable");
        assertEquals(Lock.class.getName(), doctor.findings().get(0).type());
        assertEquals(-1, doctor.findings().get(0).bytes());
    }

    @Test
    void whatIsNotAllowedIsNamedWithTheSettingThatWouldAllowIt() throws Exception {
        Cart cart = Cart.of(2);
        cart.items.get(1).extra = new java.util.logging.LogRecord(java.util.logging.Level.INFO, "x");
        finds(
                cart,
                "NOT_ENCODED cart.items[1].extra: java.util.logging.LogRecord is not a class of the application; the setting "
                        + "'attributeFilter' can allow it: 'java.util.logging.LogRecord'");
    }

    @Test
    void inACycleTheReasonIsNotWhatPointsBack() {
        Node ring = Node.chain(3);
        ring.next.next.next = ring;
        ring.next.previous = ring;
        ring.value = new Lock();
        finds(ring, "NOT_ENCODED cart.value: does not implement java.io.Serializable");
    }

    @Test
    void threeReasonsAreNamedAtOnce() {
        Cart cart = Cart.of(6);
        cart.items.get(1).extra = new Lock();
        cart.notes.put("stream", new java.io.ByteArrayOutputStream());
        cart.items.get(4).extra = Thread.currentThread();
        assertEquals(
                List.of("cart.items[1].extra", "cart.items[4].extra", "cart.notes[\"stream\"]"),
                examine(cart).stream().map(Finding::path).sorted().toList());
    }

    @Test
    void whatIsWrittenButCannotBeReadIsNamed() {
        Cart cart = Cart.of(2);
        cart.items.get(1).extra = new OneWay();
        finds(cart, "NOT_DECODED cart.items[1].extra: no way back");
    }

    @Test
    void anOwnFormThatCannotBeReadIsNamed() {
        Cart cart = Cart.of(2);
        cart.items.get(1).extra = new OwnWay();
        finds(cart, "NOT_DECODED cart.items[1].extra: no way back");
    }

    @Test
    void whatIsFarAboveTheLimitIsNamed() {
        finds(new byte[20 << 20], "LARGE cart: more than 16777216 bytes are above maxAttributeBytes = 1048576");
    }

    @Test
    void whatIsAboveTheLimitIsNamedWithItsHeaviestParts() {
        Cart cart = Cart.of(3);
        cart.items.get(1).extra = new byte[5 << 20];
        List<Finding> findings = examine(cart);
        assertEquals(1, findings.size(), findings::toString);
        assertTrue(
                findings.get(0)
                        .text()
                        .matches("5\\d{6} bytes are above maxAttributeBytes = 1048576; in bytes: .*"
                                + "cart\\.items\\[1]\\.extra 5242\\d{3}.*"),
                findings.get(0).text());
    }

    @Test
    void aLongChainIsNamedAsTooDeepAndNoneOfItsLinks() {
        Cart cart = Cart.of(1);
        cart.items.get(0).extra = Node.chain(10_000);
        finds(
                cart,
                "TOO_DEEP cart.items[0].extra.next.next...(245 more)....next.next.next.next.next.next: nests deeper than "
                        + "256 objects");
    }

    @Test
    void transientFieldsAreANote() {
        Cart cart = Cart.of(1);
        cart.items.get(0).extra = new Cached(new Lock());
        finds(
                cart,
                "TRANSIENT cart.items[0].extra.lock: is transient: an object of io.understudy.doctor.Shop$Lock here, null "
                        + "on other nodes");
    }

    @Test
    void fieldsOfACollectionsSubclassAreLookedAt() {
        NamedList named = new NamedList();
        named.add(new Forgetful("f"));
        named.cache = "c";
        assertEquals(
                List.of("cart.cache", "cart[0].price"),
                examine(named).stream().map(Finding::path).toList());
    }

    @Test
    void elementsThatAreNotFoundInTheCopyAreNamed() {
        Set<Label> tags = new HashSet<>(List.of(new Label("a")));
        int hash = "a".hashCode();
        finds(
                List.of(tags),
                "NOT_FOUND cart[0][0]: equals its copy, but has the hash code " + hash + ", which comes back as 0",
                "TRANSIENT cart[0][0].hash: is transient: " + hash + " here, null on other nodes");
    }

    @Test
    void aKeyThatChangedAfterItWasPutInIsFoundAgainInTheCopy() {
        Map<Object, Object> map = new HashMap<>();
        List<String> key = new ArrayList<>(List.of("a"));
        map.put(key, 1);
        map.put(new Line(new Item("i"), 1), 2);
        key.add("b");
        finds(map); // Keys are put in anew: the original is unsound, and the copy is not.
    }

    @Test
    void aDifferenceInAnArrayOfNumbersHasItsIndex() {
        List<Symptom> symptoms = Comparison.of(
                GraphNode.attribute("cart", new Object[] {new byte[] {1, 2, 3}}), new Object[] {new byte[] {1, 2, 4}});
        assertEquals("cart[0][2]", symptoms.get(0).path().toString());
        assertEquals("was 3, comes back as 4", symptoms.get(0).text());
    }

    @Test
    void oneObjectThatIsTwoInTheCopyIsNamed() {
        Item item = new Item("i");
        List<Symptom> symptoms =
                Comparison.of(GraphNode.attribute("cart", List.of(item, item)), List.of(new Item("i"), new Item("i")));
        assertEquals(1, symptoms.size());
        assertEquals(Kind.SPLIT, symptoms.get(0).kind());
        assertEquals("cart[1]", symptoms.get(0).path().toString());
    }

    @Test
    void whatIsNearALimitIsNamedWithItsHeaviestParts() {
        Cart cart = Cart.of(3);
        cart.items.get(1).extra = new byte[900_000];
        cart.items.get(2).extra = new byte[9_000];
        List<Finding> findings = examine(cart);
        assertEquals(1, findings.size(), findings::toString);
        Finding large = findings.get(0);
        assertEquals(Kind.LARGE, large.kind());
        assertTrue(
                large.text()
                        .matches(
                                "9\\d{5} bytes are near maxAttributeBytes = 1048576; in bytes: cart 9\\d{5}, cart\\.items 9\\d{5}, "
                                        + "cart\\.items\\[1] 900\\d{3}, cart\\.items\\[1]\\.extra 900\\d{3}.*"),
                large.text());
        assertEquals((long) large.bytes(), doctor.sizes().get("cart"));
        assertEquals((long) large.bytes(), doctor.sizes().get(""));
    }

    /** It may have been changed and changed back, and looked at in between. */
    @Test
    void whatAnotherRequestUsedMeanwhileIsNotJudged() {
        for (Object value : List.of(new Forgetful("f"), new OneWay())) {
            String name = value.getClass().getSimpleName();
            doctor.examine(List.of(new Examined(name, value, Use.USED, () -> null, () -> false)), 0);
            assertEquals(List.of(), doctor.findings());
        }
        examine(new OneWay());
        assertEquals(1, doctor.findings().size());
    }

    @Test
    void aLargeSessionIsNamedWithItsLargestAttribute() {
        SessionDoctor strict = new SessionDoctor("/shop@n1", codec, Shop.class::getClassLoader, 1 << 20, 10_000);
        strict.examine(
                List.of(
                        new Examined("a", new byte[3000], Use.USED, () -> null, () -> true),
                        new Examined("b", new byte[1000], Use.USED, () -> null, () -> true)),
                9000);
        assertEquals(1, strict.findings().size(), strict.findings()::toString);
        assertTrue(strict.findings().get(0).text().contains("above maxSessionBytes = 10000; in bytes: a 300"));
        assertTrue(strict.findings().get(0).toString().startsWith("session (130"));
    }

    @Test
    void whatFailsInTheApplicationsCodeIsThatAttributesAlone() {
        Set<Object> angry = new HashSet<>(List.of(new Shop.Angry()));
        for (int i = 0; i < 3; i++) {
            doctor.examine(
                    List.of(
                            new Examined("a", angry, Use.USED, () -> null, () -> true),
                            new Examined("b", new Forgetful("f"), Use.USED, () -> null, () -> true)),
                    0);
        }
        assertEquals(3, doctor.failures());
        assertEquals(
                List.of("b.price"),
                doctor.findings().stream().map(Finding::path).toList());
    }

    @Test
    void withoutALoaderNothingIsThrown() {
        SessionDoctor closed = new SessionDoctor(
                "/shop@n1",
                codec,
                () -> {
                    throw new IllegalStateException("closed");
                },
                1 << 20,
                1 << 24);
        closed.examine(List.of(new Examined("a", new Forgetful("f"), Use.USED, () -> null, () -> true)), 0);
        assertEquals(1, closed.failures());
    }

    @Test
    void anElementThatIsHashedBeforeItIsWholeIsNotFoundInTheCopy() {
        Shop.Group group = new Shop.Group("g");
        group.members.add(new Shop.Member(group));
        finds(group, "NOT_FOUND cart.members[0]: comes back, but contains does not find it in the copy");
    }

    @Test
    void aChainIsTooDeepInEitherFormat() {
        finds(
                new Object[] {Locale.US, Node.chain(400)}, // A locale is not for Kryo.
                "TOO_DEEP cart[1].next.next.next.next...(245 more)....next.next.next.next.next.next: nests deeper than "
                        + "256 objects");
        assertEquals(-1, doctor.findings().get(0).bytes(), "it is not written");
    }

    @Test
    void whatIsRememberedIsBounded() {
        Logger.getLogger(Findings.LOGGER).setLevel(Level.OFF);
        for (int i = 0; i < 2000; i++) {
            doctor.examine(List.of(new Examined("a" + i, new Forgetful("f"), Use.USED, () -> null, () -> true)), 0);
        }
        assertEquals(1000, doctor.findings().size());
        assertEquals(1000, doctor.sizes().size());
        Logger.getLogger(Findings.LOGGER).setLevel(null);
    }
}
