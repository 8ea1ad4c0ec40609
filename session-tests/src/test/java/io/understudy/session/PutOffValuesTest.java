package io.understudy.session;

import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A value that is changed in place and can't be encoded any more: the other node keeps its last good state for a while only. */
@Tag("cluster")
class PutOffValuesTest {

    private static final Duration ALIKE = Duration.ofMillis(1001);
    private static final Duration LONG = Duration.ofSeconds(11);

    private final MovedTime time = new MovedTime();
    private final Cluster cluster = Cluster.of(2, Map.of(), time, 1);
    private final LiveSession session = cluster.sessions(0).create("a", 1800);

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Its own code writes it, and fails for as long as it has a failure. */
    private static final class Order implements Serializable {

        private static final long serialVersionUID = 1L;

        private int items;
        private transient @Nullable Supplier<? extends Throwable> failure;

        private void writeObject(ObjectOutputStream out) throws IOException {
            Supplier<? extends Throwable> fails = failure;
            Throwable thrown = fails == null ? null : fails.get();
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            } else if (thrown != null) {
                throw (Error) thrown;
            }
            out.defaultWriteObject();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("closed");
    }

    private Order order() {
        return (Order) Objects.requireNonNull(session.attributes().get("order"));
    }

    /** The application adds an item, in a request. */
    private Outcome change(@Nullable Supplier<? extends Throwable> failure) {
        return use(session, () -> {
            order().items++;
            order().failure = failure;
        });
    }

    /** A request that reads it. */
    private Outcome read() {
        return use(session, () -> assertNotNull(order()));
    }

    private @Nullable Order there() {
        return (Order)
                SessionRequest.find(cluster.sessions(1), "a").attributes().get("order");
    }

    private void itemsThere(int expected) {
        Order there = there();
        assertNotNull(there);
        assertEquals(expected, there.items);
    }

    private long kept() {
        return cluster.node(0).metrics().value(Counter.ATTRIBUTES_KEPT_CHANGING);
    }

    @Test
    void whatFailsAlikeTwiceIsWithdrawn() {
        put(session, "order", new Order());
        itemsThere(0);
        try (LogLines log = new LogLines("io.understudy.session.failures")) {
            assertEquals(Outcome.DEGRADED, change(PutOffValuesTest::closed), "the next try may succeed");
            itemsThere(0);
            assertEquals(1, log.with("WARNING", "'order'").size());
            assertEquals(Outcome.DEGRADED, read(), "one request may commit twice");
            itemsThere(0);
            time.advance(ALIKE);
            assertEquals(Outcome.ACKNOWLEDGED, read());
            assertNull(there());
            assertEquals(
                    1,
                    log.with("WARNING", "'order'", "closed", "other nodes find no such attribute")
                            .size());
            assertEquals(2, kept());
            read();
            assertEquals(2, log.with("WARNING", "'order'").size(), "once");
        }
        assertEquals(1, order().items, "it stays here");
        assertEquals(Outcome.ACKNOWLEDGED, change(null));
        itemsThere(2);
    }

    @Test
    void aValueThatIsSetAgainEachTimeIsWithdrawn() {
        Order order = new Order();
        put(session, "order", order);
        order.failure = PutOffValuesTest::closed;
        assertEquals(Outcome.DEGRADED, put(session, "order", order));
        itemsThere(0);
        time.advance(ALIKE);
        put(session, "order", order);
        assertNull(there());
    }

    /** The client goes on elsewhere: no request uses the session here any more. */
    @Test
    void withoutAnotherRequestItIsWithdrawn() {
        put(session, "order", new Order());
        change(PutOffValuesTest::closed);
        itemsThere(0);
        time.advance(ALIKE);
        long used = lastUse();
        assertEquals(List.of(), cluster.sessions(0).expirable(), "the container looks at its interval");
        Await.that("it is withdrawn", () -> there() == null);
        assertEquals(used, lastUse(), "that is no use of the session");
    }

    private long lastUse() {
        return Objects.requireNonNull(Objects.requireNonNull(session.replica()).lastUse())
                .time();
    }

    /** The client goes on elsewhere, from the last good state. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatAnotherNodeMadeOfTheLastGoodStateStays(boolean failsOn) {
        put(session, "order", new Order());
        change(PutOffValuesTest::closed);
        Order failing = order();
        LiveSession other = SessionRequest.find(cluster.sessions(1), "a");
        use(other, () -> {
            Order theirs = (Order) Objects.requireNonNull(other.attributes().get("order"));
            theirs.items += 10;
        });
        time.advance(LONG);
        failing.failure = failsOn ? PutOffValuesTest::closed : null;
        for (int i = 0; i < 5; i++) {
            cluster.sessions(0).expirable();
            use(session, () -> session.attributes().put("other", "value"));
        }
        itemsThere(10);
        assertEquals(10, order().items);
    }

    /** It works with the object; a request that does not know the object commits meanwhile. */
    @Test
    void aRequestThatWorksWithTheObjectMayBeTheReason() {
        put(session, "order", new Order());
        long working = session.enter();
        Order order = (Order) Objects.requireNonNull(session.attributes(working).get("order"));
        order.failure = PutOffValuesTest::closed;
        for (int i = 0; i < 3; i++) {
            use(session, () -> session.attributes().put("other", "value"));
            time.advance(ALIKE);
        }
        itemsThere(0);
        order.failure = null;
        order.items = 7;
        session.commit();
        session.exit(working);
        Await.that("it is there", () -> Objects.requireNonNull(there()).items == 7);
    }

    @Test
    void anOverlappingRequestMayBeTheReason() {
        put(session, "order", new Order());
        long other = session.enter();
        assertNotNull(session.attributes(other).get("order"));
        change(PutOffValuesTest::closed);
        time.advance(ALIKE);
        assertEquals(Outcome.DEGRADED, read());
        itemsThere(0);
        session.exit(other);
        assertEquals(Outcome.ACKNOWLEDGED, read());
        assertNull(there());
    }

    /** Nobody can tell whether the value has changed, as on a node that is about to end. */
    @Test
    void aFullHeapKeepsTheLastGoodState() {
        put(session, "order", new Order());
        for (int i = 0; i < 6; i++) {
            assertEquals(Outcome.DEGRADED, change(() -> new OutOfMemoryError("for long")));
            time.advance(LONG);
            cluster.sessions(0).expirable();
            itemsThere(0);
        }
        assertEquals(Outcome.ACKNOWLEDGED, change(null));
        itemsThere(7);
    }

    @Test
    void whatKeepsChangingHasItsLastGoodStateForAWhile() {
        Supplier<Throwable> failure = ConcurrentModificationException::new;
        put(session, "order", new Order());
        for (int i = 0; i < 6; i++) {
            assertEquals(Outcome.DEGRADED, change(failure));
            itemsThere(0);
        }
        time.advance(LONG);
        assertEquals(Outcome.ACKNOWLEDGED, change(failure));
        assertNull(there());
        assertEquals(Outcome.ACKNOWLEDGED, change(null));
        itemsThere(8);
        assertEquals(Outcome.DEGRADED, change(failure), "it is put off anew");
        itemsThere(8);
    }

    @Test
    void whatKeepsChangingIsWithdrawnWithoutRequests() {
        put(session, "order", new Order());
        change(ConcurrentModificationException::new);
        for (int i = 0; i < 3; i++) {
            cluster.sessions(0).expirable();
        }
        itemsThere(0);
        time.advance(LONG);
        for (int i = 0; i < 10; i++) {
            cluster.sessions(0).expirable();
        }
        Await.that("it is withdrawn", () -> there() == null);
    }

    /** Not needlessly withdrawn: one success ends what was put off. */
    @Test
    void aSuccessBetweenBeginsAnew() {
        put(session, "order", new Order());
        for (int i = 1; i < 6; i++) {
            change(ConcurrentModificationException::new);
            time.advance(Duration.ofSeconds(4));
            read();
            time.advance(Duration.ofSeconds(4));
            assertEquals(Outcome.ACKNOWLEDGED, change(null));
            itemsThere(2 * i);
        }
    }

    @Test
    void eachReasonOfOneValueIsWarnedOf() {
        put(session, "list", new ArrayList<>());
        try (LogLines log = new LogLines("io.understudy.session.failures")) {
            use(session, () -> list().add(new Thread()));
            use(session, () -> list().set(0, new byte[2 << 20]));
            use(session, () -> list().set(0, new byte[3 << 20]));
            List<String> lines = log.with("WARNING", "'list'");
            assertEquals(2, lines.size(), () -> "" + lines);
            assertTrue(lines.get(0).contains("java.lang.Thread"), () -> "" + lines);
            assertTrue(lines.get(1).contains("maxAttributeBytes"), () -> "" + lines);
        }
        assertEquals(1, cluster.node(0).metrics().value(Counter.ATTRIBUTES_NOT_REPLICATED), "one value");
    }

    @SuppressWarnings("unchecked")
    private List<Object> list() {
        return (List<Object>) Objects.requireNonNull(session.attributes().get("list"));
    }
}
