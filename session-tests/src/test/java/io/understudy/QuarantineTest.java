package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.Compiled;
import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.faults.Cluster;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Attributes that a node can't decode, as it has not the class, or another version of it: kept as bytes, and passed
 * on.
 */
@Tag("cluster")
@Timeout(300)
class QuarantineTest {

    private static final Duration LIMIT = Await.LIMIT;

    private final LogLines log = new LogLines("io.understudy");
    private Compiled with;
    private ClassLoader without;
    private Cluster cluster;

    @BeforeEach
    void compile() {
        with = cart("public int items;");
        without = new URLClassLoader(new java.net.URL[0], getClass().getClassLoader());
    }

    private static Compiled cart(String fields) {
        return Compiled.loader(
                "shop.Cart", "package shop; public class Cart implements java.io.Serializable { " + fields + " }");
    }

    /** The first node has the class, the second one not. */
    private void start(int nodes, int places) {
        cluster = Cluster.of(0, places, Map.of(Setting.RETAIN_UNDEPLOYED, "15m", Setting.TAKE_OVER_REHEARSAL, "off"));
        for (int node = 0; node < places; node++) {
            cluster.classes(node, node == 1 ? without : with);
        }
        for (int node = 0; node < nodes; node++) {
            cluster.start(node);
        }
    }

    @AfterEach
    void close() {
        log.close();
        cluster.close();
    }

    private Object cart(int items) throws ReflectiveOperationException {
        Object cart = with.loadClass("shop.Cart").getConstructor().newInstance();
        cart.getClass().getField("items").set(cart, items);
        return cart;
    }

    private LiveSession on(int node, String id) {
        return find(cluster.sessions(node), id);
    }

    private Object read(int node, String id, String name) {
        Map<String, Object> read = new HashMap<>();
        use(on(node, id), () -> read.put(name, on(node, id).attributes().get(name)));
        return read.get(name);
    }

    private int items(int node, String id) throws ReflectiveOperationException {
        Object cart = read(node, id, "cart");
        assertNotNull(cart, "cart on node " + node);
        return cart.getClass().getField("items").getInt(cart);
    }

    private LiveSession session(String id, int items) throws ReflectiveOperationException {
        LiveSession session = cluster.sessions(0).create(id, 1800);
        Object cart = cart(items);
        assertEquals(Outcome.ACKNOWLEDGED, use(session, () -> {
            session.attributes().put("cart", cart);
            session.attributes().put("user", "ada");
        }));
        return session;
    }

    private long quarantined(int node) {
        return cluster.node(node).gauges().get("attributes_quarantined");
    }

    private long notDecoded(int node) {
        return cluster.node(node).metrics().value(Counter.ATTRIBUTES_NOT_DECODED);
    }

    @Test
    void theSessionLivesOnWithItsOtherAttributes() throws Exception {
        start(2, 2);
        session("a", 5);
        assertNull(read(1, "a", "cart"));
        assertEquals("ada", read(1, "a", "user"));
        assertEquals(1, quarantined(1));
        assertEquals(Outcome.ACKNOWLEDGED, put(on(1, "a"), "user", "eve"));
        assertNull(read(1, "a", "cart"));
        assertEquals("eve", read(0, "a", "user"));
        assertEquals(5, items(0, "a"), "it went round through a node that can't decode it");
        assertEquals(1, notDecoded(1), "one value, read twice");
        assertEquals(0, quarantined(0));
    }

    @Test
    void itIsPassedOnToWhoJoins() throws Exception {
        start(2, 3);
        session("a", 5);
        assertNull(read(1, "a", "cart"));
        cluster.kill(0);
        cluster.awaitView(1, 1);
        cluster.start(2);
        assertEquals(5, items(2, "a"));
        assertEquals("ada", read(2, "a", "user"));
    }

    @Test
    void itIsDecodedWhenTheClassArrives() throws Exception {
        start(2, 2);
        session("a", 5);
        assertNull(read(1, "a", "cart"));
        cluster.redeploy(1, with);
        assertEquals(0, quarantined(1), "of the application that is there now nobody asked for it");
        assertEquals(5, items(1, "a"));
        assertEquals(0, quarantined(1));
    }

    @Test
    void itIsDecodedWhenItsLoaderFindsTheClassLater() throws Exception {
        Compiled late = Compiled.none();
        without = late;
        start(2, 2);
        session("a", 5);
        assertNull(read(1, "a", "cart"));
        assertEquals(1, quarantined(1));
        late.add(with);
        assertEquals(5, items(1, "a"));
        assertEquals(0, quarantined(1));
    }

    /** Also for a request that does not ask for its value, but for the names of all. */
    @Test
    void itHasANameAgainWhenItsLoaderFindsTheClassLater() throws Exception {
        Compiled late = Compiled.none();
        without = late;
        start(2, 2);
        session("a", 5);
        assertNull(read(1, "a", "cart"));
        assertEquals(Set.of("user"), on(1, "a").attributes().keySet());
        late.add(with);
        assertEquals(Set.of("cart", "user"), on(1, "a").attributes().keySet());
        assertEquals(0, quarantined(1));
    }

    @Test
    void settingItReplacesIt() throws Exception {
        start(2, 2);
        session("a", 5);
        assertNull(read(1, "a", "cart"));
        assertEquals(Outcome.ACKNOWLEDGED, put(on(1, "a"), "cart", "none"));
        assertEquals("none", read(0, "a", "cart"));
        assertEquals("none", read(1, "a", "cart"));
        assertEquals(0, quarantined(1));
    }

    @Test
    void removingItRemovesIt() throws Exception {
        start(2, 2);
        session("a", 5);
        assertNull(read(1, "a", "cart"));
        assertEquals(
                Outcome.ACKNOWLEDGED,
                use(
                        on(1, "a"),
                        () -> assertNull(
                                on(1, "a").attributes().remove("cart"), "nobody is given a value that is broken")));
        assertNull(read(0, "a", "cart"));
        assertEquals(Set.of("user"), on(0, "a").attributes().keySet());
        assertEquals(0, quarantined(1));
    }

    @Test
    void removingItUnreadRemovesIt() throws Exception {
        start(2, 2);
        session("a", 5);
        use(on(1, "a"), () -> on(1, "a").attributes().keySet().remove("cart"));
        assertEquals(Set.of("user"), on(0, "a").attributes().keySet());
        assertEquals(0, quarantined(1));
    }

    @Test
    void onceItIsKnownItHasNoName() throws Exception {
        start(2, 2);
        session("a", 5);
        Map<String, Object> attributes = on(1, "a").attributes();
        assertNull(read(1, "a", "cart"));
        assertFalse(attributes.containsKey("cart"));
        assertEquals(Set.of("user"), attributes.keySet());
        assertEquals(Map.of("user", "ada"), new HashMap<>(attributes));
        assertEquals(1, attributes.size());
        assertEquals(5, items(0, "a"), "it is still there");
    }

    @Test
    void listenersOfItsEndAreGivenNoBrokenValue() throws Exception {
        start(2, 2);
        session("a", 5);
        LiveSession ending = on(1, "a");
        assertTrue(ending.beginEnd());
        Map<String, Object> told = new HashMap<>();
        ending.attributes().forEach(told::put);
        ending.invalidate().await();
        assertEquals(Map.of("user", "ada"), told);
        Await.until(LIMIT, () -> "still there", () -> cluster.sessions(0).find("a") == null);
        assertEquals(0, quarantined(1), "nor is it counted any more");
    }

    @Test
    void oneWarningNamesTheSessionTheAttributeTheClassAndTheWayOut() throws Exception {
        start(2, 2);
        for (String id : List.of("secret1", "secret2", "secret3")) {
            session(id, 5);
            assertNull(read(1, id, "cart"));
            assertNull(read(1, id, "cart"));
        }
        List<String> warnings = log.with("WARNING", "'cart'");
        assertEquals(1, warnings.size(), warnings.toString());
        String session = on(1, "secret1").key().toString();
        for (String part : List.of(
                session, "'cart'", "shop.Cart", "Deploy", "attributeFilter", "setAttribute", "removeAttribute")) {
            assertTrue(warnings.get(0).contains(part), part + " in " + warnings);
        }
        assertFalse(warnings.get(0).contains("secret"), "who reads the log could take over the session: " + warnings);
        assertEquals(3, quarantined(1));
        assertEquals(3, notDecoded(1));
    }

    @Test
    void aFieldThatHasAnotherTypeIsNamed() throws Exception {
        without = cart("public String items;");
        start(2, 2);
        LiveSession session = session("a", 5);
        assertNull(read(1, "a", "cart"));
        List<String> warnings = log.with("WARNING", "'cart'");
        assertEquals(1, warnings.size(), warnings.toString());
        assertTrue(warnings.get(0).contains("shop.Cart.items"), warnings.toString());
        Object other = cart(6);
        assertEquals(Outcome.ACKNOWLEDGED, put(session, "cart", other));
        assertNull(read(1, "a", "cart"));
        assertEquals(1, quarantined(1), "the newer value");
        assertEquals(2, notDecoded(1));
        assertEquals(6, items(0, "a"));
    }

    @Test
    void aWiderVersionReadsItAndIsRead() throws Exception {
        without = cart("public long items; public String note = \"new\";");
        start(2, 2);
        session("a", 5);
        Object cart = read(1, "a", "cart");
        assertEquals(5L, cart.getClass().getField("items").getLong(cart));
        assertNull(cart.getClass().getField("note").get(cart), "no constructor runs");
        cart.getClass().getField("items").setLong(cart, 7);
        assertEquals(Outcome.ACKNOWLEDGED, put(on(1, "a"), "cart", cart));
        assertEquals(7, items(0, "a"));
        assertEquals(0, quarantined(0) + quarantined(1));
    }

    /** Who got no object of it does not keep others from what replaces it. */
    @Test
    void aRequestThatCouldNotReadItSeesWhatReplacesIt() throws Exception {
        start(2, 2);
        session("a", 5);
        LiveSession here = on(1, "a");
        long ticket = here.enter();
        assertNull(here.attributes(ticket).get("cart"));
        assertEquals(Outcome.ACKNOWLEDGED, put(on(0, "a"), "cart", "text"));
        assertEquals("text", here.attributes(ticket).get("cart"));
        here.commit().await();
        here.exit(ticket);
        assertEquals(0, quarantined(1));
    }
}
