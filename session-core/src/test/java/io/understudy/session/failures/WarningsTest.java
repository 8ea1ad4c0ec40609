package io.understudy.session.failures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.TimeSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which values that stay on their node have a line in the log. */
@Tag("rules")
class WarningsTest {

    private static final class Lines extends Handler {

        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private static final class Clock implements TimeSource {

        private long now = 1_000_000;

        void pass(long minutes) {
            now += TimeUnit.MINUTES.toMillis(minutes);
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public long monotonicMillis() {
            return now;
        }
    }

    /** Held: a logger that nobody holds is forgotten, with its handlers. */
    private final Logger logger = Logger.getLogger(Warnings.class.getName());

    private final Lines log = new Lines();
    private final Clock clock = new Clock();
    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final Warnings warnings = new Warnings("/shop@n1", metrics, clock);

    @BeforeEach
    void listen() {
        logger.addHandler(log);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void close() {
        logger.removeHandler(log);
        logger.setUseParentHandlers(true);
    }

    private List<String> logged() {
        List<String> lines = List.copyOf(log.lines);
        log.lines.clear();
        return lines;
    }

    private void warn(String... reasons) {
        for (String reason : reasons) {
            warnings.notReplicated("cart", "value", reason);
        }
    }

    private void alternate(int times) {
        for (int i = 0; i < times; i++) {
            warn(i % 2 == 0 ? "reason A" : "reason B");
        }
    }

    @Test
    void aReasonThatComesBackIsLoggedAgain() {
        warn("reason A", "reason A", "reason B", "reason B", "reason A");
        List<String> lines = logged();
        assertEquals(3, lines.size(), lines::toString);
        assertEquals(
                "/shop@n1 - attribute 'cart' of class java.lang.String stays on this node: reason A", lines.get(2));
        assertEquals(5, metrics.value(Counter.ATTRIBUTES_NOT_REPLICATED));
    }

    @Test
    void eachAttributeAndClassHasItsReason() {
        warn("reason A");
        warnings.notReplicated("cart", 1, "reason B");
        warnings.notReplicated("user", "value", "reason B");
        warn("reason A");
        assertEquals(3, logged().size());
    }

    @ParameterizedTest
    @CsvSource({
        "shop.Cart$1 is not a class, shop.Cart$2 is not a class, 2",
        "shop.Cart1 is not a class, shop.Cart2 is not a class, 2",
        "shop.v1.Cart is not a class, shop.v2.Cart is not a class, 2",
        "takes 1234 bytes of 9, takes 99 bytes of 9, 1",
        "takes 1234, takes 99, 1",
        "length 3: index=4, length 17: index=5, 1",
        "shop.Cart@1b2c3d changes, shop.Cart@a0 changes, 1"
    })
    void numbersOfValuesAreNoOtherReason(String one, String other, int lines) {
        warn(one, other);
        assertEquals(lines, logged().size());
    }

    @Test
    void alternatingReasonsAreLeftOutAndCounted() {
        alternate(1000);
        assertEquals(10, logged().size());
        alternate(1000);
        assertEquals(0, logged().size(), "within the minute");
        clock.pass(1);
        alternate(1000);
        List<String> lines = logged();
        assertEquals(1, lines.size(), lines::toString);
        int differing = 990 / 2 + 1000 / 2; // The last line was of reason B, as are half of those left out.
        assertTrue(lines.get(0).endsWith(". Before this, " + differing + " such lines were left out"), lines::toString);
    }

    @Test
    void theReasonThatRemainsIsLogged() {
        alternate(1000);
        assertTrue(logged().get(9).endsWith("reason B"));
        warn("reason A");
        assertEquals(0, logged().size());
        clock.pass(1);
        warn("reason A");
        assertEquals(1, logged().size());
        clock.pass(100);
        warn("reason A");
        assertEquals(0, logged().size(), "nothing changed");
    }

    @Test
    void manyAttributesAreLeftOutAndCounted() {
        IntStream.range(0, 5000).forEach(i -> warnings.notReplicated("cart" + i, "value", "reason A"));
        assertEquals(200, logged().size());
        clock.pass(1);
        IntStream.range(5000, 5020).forEach(i -> warnings.notReplicated("cart" + i, "value", "reason A"));
        List<String> lines = logged();
        assertEquals(10, lines.size());
        assertTrue(lines.get(0).endsWith(". Before this, 4800 such lines were left out"), lines::toString);
        assertTrue(lines.get(1).endsWith("reason A"), lines::toString);
    }

    @Test
    void anotherAttributeIsNotSilencedByOne() {
        alternate(100_000);
        logged();
        warnings.notReplicated("user", "value", "reason A");
        assertEquals(1, logged().size());
    }
}
