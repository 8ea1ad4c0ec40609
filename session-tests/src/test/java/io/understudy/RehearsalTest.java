package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.audit.AuditEvent;
import io.understudy.codec.Compiled;
import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.metrics.MetricsText;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Replication of a running cluster is broken in many ways, and a node names each within a minute by a clock that is moved by hand.
 * Of the two nodes the first writes.
 */
@Tag("cluster")
@Timeout(300)
class RehearsalTest {

    private static final String GATE = "io.understudy.RehearsalTest.gate";
    private static final AtomicReference<Runnable> WHILE_ENCODED = new AtomicReference<>(() -> {});
    private static final String READ =
            "private void readObject(java.io.ObjectInputStream in) throws java.io.IOException, ClassNotFoundException"
                    + " { in.defaultReadObject(); %s }";
    private static final String WRITE =
            "private void writeObject(java.io.ObjectOutputStream out) throws java.io.IOException"
                    + " { out.defaultWriteObject(); %s }";

    private final MovedTime time = new MovedTime();
    private final LogLines log = new LogLines("io.understudy");
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<LiveSession> held = new ArrayList<>(); // What stays on its node goes with the session's object.
    private Cluster cluster;

    private static String cart(String members) {
        return "package shop; public class Cart implements java.io.Serializable {"
                + " private static final long serialVersionUID = 1; public int items; " + members + " }";
    }

    private static Compiled carts(String members) {
        return Compiled.loader("shop.Cart", cart(members));
    }

    private void start(ClassLoader first, ClassLoader second, Map<Setting, String> settings) {
        Map<Setting, String> all = new HashMap<>(Map.of(
                Setting.TOUCH_INTERVAL, "20ms",
                Setting.TAKE_OVER_REHEARSAL, "100%",
                Setting.MAX_ATTRIBUTE_BYTES, "2000",
                Setting.MAX_SESSION_BYTES, "3000"));
        all.putAll(settings);
        cluster = Cluster.of(2, all, time, 1);
        cluster.redeploy(0, first);
        cluster.redeploy(1, second);
    }

    private void start(ClassLoader first, ClassLoader second) {
        start(first, second, Map.of());
    }

    @AfterEach
    void close() {
        gate.countDown();
        System.getProperties().remove(GATE);
        WHILE_ENCODED.set(() -> {});
        cluster.close();
        log.close();
    }

    private static Object instance(ClassLoader of) {
        try {
            Object cart = of.loadClass("shop.Cart").getConstructor().newInstance();
            cart.getClass().getField("items").setInt(cart, 5);
            return cart;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private LiveSession session(String id, Object value) {
        LiveSession session = cluster.sessions(0).create(id, -1);
        held.add(session);
        use(session, () -> session.attributes().put("cart", value));
        return session;
    }

    private long figure(int node, String name) {
        return NodeFigures.of(cluster.node(node)).getOrDefault(name, -1L);
    }

    private void await(int node, String figure, long value) {
        Await.until(
                Await.LIMIT,
                () -> figure + " = " + value + " in " + NodeFigures.of(cluster.node(node)) + " "
                        + cluster.node(node).takeOverFailures(),
                () -> figure(node, figure) == value);
    }

    /** A minute later the second node names one session, and only for this reason, in all places. */
    private void fails(String reason, String... words) throws Exception {
        time.advance(Duration.ofMinutes(1));
        await(1, "sessions_failing_here_" + reason, 1);
        assertEquals(1, figure(1, "sessions_failing_here"));
        assertEquals(0, figure(0, "sessions_failing_here"));
        assertEquals(1, figure(1, "rehearsals_" + reason));
        Understudy node = cluster.node(1);
        assertTrue(MetricsText.of(node.metrics(), node.gauges())
                .contains("\nunderstudy_sessions_failing_here_" + reason + " 1\n"));
        assertTrue(node.readiness().ready());
        assertTrue(
                node.readiness().reason().contains("sessions that would not survive here: 1 " + reason),
                node.readiness().reason());
        List<String> failures = node.takeOverFailures();
        assertEquals(1, failures.size(), failures.toString());
        List<String> lines = log.with("take-over rehearsal");
        assertEquals(1, lines.size(), lines.toString());
        assertEquals(lines, log.with(reason.equals("fields_lost") ? "INFO" : "WARNING", "take-over rehearsal"));
        for (String word : words) {
            assertTrue(failures.get(0).contains(word), word + " in " + failures);
            assertTrue(lines.get(0).contains(word), word + " in " + lines);
        }
        assertEquals(Map.of(reason, 1L), node.failingHere());
        ObjectName name = new ObjectName("io.understudy:type=Node,cluster="
                + ObjectName.quote(node.config().clusterName()) + ",node="
                + ObjectName.quote(node.config().nodeName()));
        assertEquals(failures, List.of((String[])
                ManagementFactory.getPlatformMBeanServer().getAttribute(name, "TakeOverFailures")));
        assertEquals(1, cluster.sessions(1).audit().of(AuditEvent.NOT_SURVIVING).size());
        assertEquals(0, figure(1, "attributes_quarantined"), "nobody asked for it");
        assertEquals(0, figure(1, "attributes_not_decoded"));
    }

    @Test
    void aClassThatIsMissingIsNamedUntilItIsDeployed() throws Exception {
        Compiled with = carts("");
        start(with, Compiled.none());
        session("a", instance(with));
        fails("class_missing", "shop.Cart", "'cart'");
        cluster.redeploy(1, with.again());
        time.advance(Duration.ofMinutes(1));
        await(1, "rehearsals", 2);
        await(1, "sessions_failing_here", 0);
        assertEquals(List.of(), cluster.node(1).takeOverFailures());
        assertFalse(cluster.node(1).readiness().reason().contains("survive"));
    }

    @Test
    void theMissingClassOfAFieldThatIsGoneIsNamed() throws Exception {
        Compiled with = Compiled.loader(Map.of(
                "shop.Cart",
                cart("public Coupon coupon = new Coupon();"),
                "shop.Coupon",
                "package shop; public class Coupon implements java.io.Serializable {}"));
        start(with, carts(""));
        session("a", instance(with));
        fails("class_missing", "shop.Coupon");
    }

    @Test
    void aFilterOfAnotherNodeIsNamed() {
        filterIsNamed(carts(""));
    }

    @Test
    void aFilterIsNamedForWhatJdkStreamsHoldToo() {
        filterIsNamed(carts(READ.formatted("") + WRITE.formatted("")));
    }

    private void filterIsNamed(Compiled with) {
        start(with, with.again());
        cluster.sessions(1).close();
        Understudy node = cluster.node(1);
        ClassLoader second = with.again();
        node.join("/shop", () -> second, node.config().application().with("attributeFilter", "!shop.Cart"));
        Await.until(Await.LIMIT, node::readiness, () -> node.readiness().ready());
        session("a", instance(with));
        time.advance(Duration.ofMinutes(1));
        await(1, "sessions_failing_here_class_refused", 1);
        assertEquals(1, figure(1, "rehearsals_class_refused"));
        List<String> failures = node.takeOverFailures();
        assertTrue(failures.get(0).contains("attributeFilter"), failures.toString());
    }

    @Test
    void aFieldOfAnotherTypeIsNamed() throws Exception {
        Compiled with = carts("public int number = 7;");
        start(with, carts("public String number;"));
        session("a", instance(with));
        fails("class_changed", "shop.Cart.number");
    }

    @Test
    void aFieldOfAJdkStreamThatWouldBeLostIsNamed() throws Exception {
        Compiled with = carts("public Object note = java.util.Locale.FRENCH;");
        start(with, carts(""));
        session("a", instance(with));
        fails("fields_lost", "shop.Cart.note");
    }

    /** A rolling upgrade: the second node has the old class until it is redeployed. */
    @Test
    void anUpgradeThatAddsFieldsIsOneQuietLineAndEndsByItself() throws Exception {
        Compiled with = carts("public String note = \"fragile\"; public String gift; public Object from;");
        start(with, carts(""));
        session("a", instance(with));
        fails("fields_lost", "shop.Cart.note");
        for (String id : List.of("b", "c")) {
            Object cart = instance(with);
            cart.getClass().getField("gift").set(cart, "ribbon");
            cart.getClass().getField(id.equals("b") ? "note" : "from").set(cart, null);
            LiveSession session = session(id, cart);
            use(session, () -> session.attributes().put("cart of " + id, cart));
        }
        time.advance(Duration.ofMinutes(1));
        await(1, "sessions_failing_here_fields_lost", 3);
        assertEquals(1, log.with("take-over rehearsal").size(), log.with("take-over rehearsal")::toString);
        cluster.redeploy(1, with.again());
        time.advance(Duration.ofMinutes(1));
        await(1, "rehearsals", 1 + 1 + 4 + 5);
        await(1, "sessions_failing_here", 0);
        assertEquals(1, log.with("take-over rehearsal").size(), log.with("take-over rehearsal")::toString);
    }

    @Test
    void aFieldWithoutAValueIsNoLoss() {
        Compiled with = carts("public String note; public int number; public boolean gift;");
        start(with, carts(""));
        session("a", instance(with));
        time.advance(Duration.ofMinutes(1));
        await(1, "rehearsals", 1);
        await(1, "sessions_failing_here", 0);
    }

    @Test
    void anErrorOfTheClassIsNamed() throws Exception {
        Compiled with = carts(READ.formatted(""));
        start(with, carts(READ.formatted("if (items == 5) throw new Error(\"no such file\");")));
        session("a", instance(with));
        fails("failed", "no such file");
    }

    @Test
    void whatCouldNotBeSentOnIsNamed() throws Exception {
        Compiled with = carts(READ.formatted("") + WRITE.formatted(""));
        start(
                with,
                carts(READ.formatted("")
                        + WRITE.formatted("if (items == 5) throw new IllegalStateException(\"read only\");")));
        session("a", instance(with));
        fails("not_encoded", "read only");
    }

    /** Decoding a session of the first node does not return on the second node. */
    private Compiled startStuck() {
        System.getProperties().put(GATE, gate);
        Compiled with = carts(READ.formatted(""));
        String stuck = "try { ((java.util.concurrent.CountDownLatch) System.getProperties().get(\"" + GATE
                + "\")).await(); } catch (InterruptedException e) { throw new RuntimeException(e); }";
        start(with, carts(READ.formatted(stuck)));
        session("a", instance(with));
        time.advance(Duration.ofSeconds(15));
        await(1, "rehearsals", 1);
        assertEquals(1, figure(1, "rehearsal_healthy"));
        time.advance(Duration.ofSeconds(10));
        await(1, "rehearsal_healthy", 0);
        return with;
    }

    @Test
    void aDecodingThatDoesNotReturnStopsNothingButRehearsals() {
        startStuck();
        assertEquals(1, figure(1, "sessions_failing_here_stuck"));
        assertEquals(1, figure(1, "rehearsals_stuck"));
        assertEquals(1, cluster.sessions(1).audit().of(AuditEvent.NOT_SURVIVING).size());
        Understudy node = cluster.node(1);
        assertTrue(node.readiness().ready());
        assertTrue(
                node.readiness().reason().contains("stands still in attribute 'cart'"),
                node.readiness().reason());
        assertFalse(node.rehearsalHealthy());

        LiveSession other = session("b", "tea");
        use(other, () -> other.attributes().put("user", "ada"));
        LiveSession there = find(cluster.sessions(1), "b");
        assertEquals(Outcome.ACKNOWLEDGED, use(there, () -> there.attributes().put("user", "eve")));
        time.advance(Duration.ofMinutes(5));
        assertEquals(1, figure(1, "rehearsals"), "no round begins");

        gate.countDown();
        await(1, "rehearsal_healthy", 1);
    }

    @Test
    void aNodeEndsBesideADecodingThatDoesNotReturn() {
        Compiled with = startStuck();
        cluster.redeploy(1, with.again());
        time.advance(Duration.ofSeconds(15));
        await(1, "rehearsals", 2);
        await(1, "rehearsal_healthy", 1);
        await(1, "sessions_failing_here", 0);
        cluster.node(1).close();
        assertEquals(1, gate.getCount(), "its thread is left to it");
    }

    @Test
    void whatStaysOnItsNodeIsNamedThere() {
        ClassLoader own = getClass().getClassLoader();
        start(own, own);
        LiveSession plain = session("a", new Plain());
        assertEquals(1, figure(0, "sessions_failing_elsewhere_class"));
        session("b", new byte[2001]);
        assertEquals(1, figure(0, "sessions_failing_elsewhere_too_large"));
        LiveSession full = session("c", new byte[1800]);
        use(full, () -> full.attributes().put("second", new byte[1800]));
        assertEquals(1, figure(0, "sessions_failing_elsewhere_session_full"));
        LiveSession odd = session("d", "tea");
        use(odd, () -> odd.attributes().put("a\uD83D", "tea"));
        assertEquals(1, figure(0, "sessions_failing_elsewhere_name"));
        session("e", new Unwritable());
        assertEquals(1, figure(0, "sessions_failing_elsewhere_encoding"));
        List<String> failures = cluster.node(0).takeOverFailures();
        assertEquals(5, failures.size(), failures.toString());
        assertEquals(
                Map.of("class", 1L, "encoding", 1L, "name", 1L, "session_full", 1L, "too_large", 1L),
                cluster.node(0).failingElsewhere());
        for (String word :
                List.of("Plain does not implement", "maxAttributeBytes", "maxSessionBytes", "in its name", "closed")) {
            assertEquals(
                    1, failures.stream().filter(line -> line.contains(word)).count(), word + " in " + failures);
        }

        use(plain, () -> plain.attributes().put("cart", "tea"));
        assertEquals(0, figure(0, "sessions_failing_elsewhere_class"));
        plain.invalidate();
        full.invalidate();
        odd.invalidate();
        assertEquals(2, cluster.node(0).takeOverFailures().size());
        assertEquals(0, figure(1, "sessions_failing_elsewhere_too_large"));
    }

    @Test
    void aReadingOfTheFiguresDuringACommitForgetsNothing() {
        ClassLoader own = getClass().getClassLoader();
        start(own, own);
        LiveSession session = session("a", "tea");
        WHILE_ENCODED.set(() -> figure(0, "sessions_failing_elsewhere_class"));
        use(session, () -> {
            session.attributes().put("a", new Plain());
            session.attributes().put("b", new Reading());
        });
        assertEquals(1, figure(0, "sessions_failing_elsewhere_class"));
    }

    @Test
    void aNodeThatTheOthersDoNotReachNamesAllItsSessions() {
        ClassLoader own = getClass().getClassLoader();
        start(own, own);
        session("a", "tea");
        session("b", "tea");
        assertEquals(0, figure(0, "sessions_failing_elsewhere_alone"));
        try (Fault blocked = cluster.partition(List.of(Set.of(0), Set.of(1)))) {
            await(0, "sessions_failing_elsewhere_alone", 2);
            assert blocked != null;
        }
        await(0, "sessions_failing_elsewhere_alone", 0);
    }

    private static final class Plain {}

    /** Runs what {@link #WHILE_ENCODED} holds. */
    private static final class Reading implements Serializable {

        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) {
            WHILE_ENCODED.get().run();
        }
    }

    private static final class Unwritable implements Serializable {

        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) {
            throw new IllegalStateException("closed");
        }
    }

    @Test
    void whatIsOffRehearsesNothing() {
        Compiled with = carts("");
        start(with, Compiled.none(), Map.of(Setting.TAKE_OVER_REHEARSAL, "off"));
        session("a", instance(with));
        time.advance(Duration.ofMinutes(10));
        assertEquals(0, cluster.node(1).metrics().value(Counter.REHEARSALS));
        assertEquals(-1, figure(1, "sessions_failing_here"));
        assertTrue(cluster.node(1).rehearsalHealthy());
        assertEquals(List.of(), cluster.node(1).takeOverFailures());
    }
}
