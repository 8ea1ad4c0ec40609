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
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replication to the second node is broken in many ways, and it names each within a minute. */
@Tag("cluster")
@Timeout(300)
class RehearsalTest extends BrokenReplication {

    private static final String GATE = "io.understudy.RehearsalTest.gate";

    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void openGate() {
        gate.countDown();
        System.getProperties().remove(GATE);
    }

    /** A minute later the second node names one session, and only for this reason, in all places. */
    private void fails(String reason, String... words) throws Exception {
        time.advance(Duration.ofMinutes(1));
        await(1, "sessions_failing_here_" + reason, 1);
        namedHere(reason, words);
    }

    private void namedHere(String reason, String... words) throws Exception {
        named(1, "here", reason, 1, AuditEvent.NOT_SURVIVING, words);
        assertEquals(1, figure(1, "sessions_failing_here"));
        assertEquals(0, figure(0, "sessions_failing_here"));
        assertEquals(1, figure(1, "rehearsals_" + reason));
        List<String> lines = log.with("take-over rehearsal");
        assertEquals(1, lines.size(), lines.toString());
        assertEquals(lines, log.with(reason.equals("fields_lost") ? "INFO" : "WARNING", "take-over rehearsal"));
        for (String word : words) {
            assertTrue(lines.get(0).contains(word), word + " in " + lines);
        }
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

    /** The application is not deployed anew: the session changes. */
    @Test
    void theEndOfACauseIsLogged() throws Exception {
        Compiled with = carts("");
        start(with, Compiled.none());
        LiveSession session = session("a", instance(with));
        fails("class_missing", "shop.Cart", "'cart'");
        use(session, () -> session.attributes().put("cart", "tea"));
        Await.until(Await.LIMIT, () -> log.with("rehearsal"), () -> {
            time.advance(Duration.ofSeconds(15));
            return !log.with("INFO", "take-over rehearsal: attribute 'cart' fails no more")
                    .isEmpty();
        });
        await(1, "sessions_failing_here", 0);
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
    void aFilterOfAnotherNodeIsNamed() throws Exception {
        filterIsNamed(carts(""));
    }

    @Test
    void aFilterIsNamedForWhatJdkStreamsHoldToo() throws Exception {
        filterIsNamed(carts(READ.formatted("") + WRITE.formatted("")));
    }

    private void filterIsNamed(Compiled with) throws Exception {
        start(with, with.again());
        cluster.sessions(1).close();
        Understudy node = cluster.node(1);
        ClassLoader second = with.again();
        node.join("/shop", () -> second, node.config().application().with("attributeFilter", "!shop.Cart"));
        Await.until(Await.LIMIT, node::readiness, () -> node.readiness().ready());
        session("a", instance(with));
        fails("class_refused", "attributeFilter", "shop.Cart", "'cart'");
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
    void aDecodingThatDoesNotReturnStopsNothingButRehearsals() throws Exception {
        startStuck();
        namedHere("stuck", "'cart'", "did not return within 10 s");
        Understudy node = cluster.node(1);
        assertTrue(node.readiness().ready());
        assertTrue(
                node.readiness().reason().contains("stands still in attribute 'cart'"),
                node.readiness().reason());
        assertFalse(node.takeOvers().rehearsalHealthy());

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
    void whatIsOffRehearsesNothing() {
        Compiled with = carts("");
        start(with, Compiled.none(), Map.of(Setting.TAKE_OVER_REHEARSAL, "off"));
        session("a", instance(with));
        time.advance(Duration.ofMinutes(10));
        assertEquals(0, cluster.node(1).metrics().value(Counter.REHEARSALS));
        assertEquals(-1, figure(1, "sessions_failing_here"));
        assertTrue(cluster.node(1).takeOvers().rehearsalHealthy());
        assertEquals(List.of(), cluster.node(1).takeOverFailures());
    }
}
