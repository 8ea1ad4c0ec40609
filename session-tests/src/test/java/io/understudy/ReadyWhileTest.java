package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.LogLines;
import io.understudy.testkit.faults.Cluster;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conditions by which an application keeps its node from being ready. */
@Tag("cluster")
class ReadyWhileTest {

    private final Cluster cluster = Cluster.of(1, Map.of());
    private final Understudy node = cluster.node(0);

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void theNodeIsReadyWhileEachConditionHolds() {
        AtomicBoolean accepts = new AtomicBoolean();
        Runnable first = node.readyWhile(accepts::get);
        Runnable second = node.readyWhile(accepts::get);
        assertFalse(node.readiness().ready());
        assertTrue(node.readiness().reason().endsWith("its server or application does not accept requests"));
        accepts.set(true);
        assertTrue(node.readiness().ready());
        accepts.set(false);
        first.run();
        assertFalse(node.readiness().ready(), "the other condition is there");
        second.run();
        assertTrue(node.readiness().ready());
    }

    @ParameterizedTest
    @ValueSource(classes = {NoClassDefFoundError.class, StackOverflowError.class, OutOfMemoryError.class})
    void anErrorOfAConditionIsNoneOfTheNode(Class<? extends Error> error) {
        Runnable release = node.readyWhile(() -> {
            throw instance(error);
        });
        assertFalse(node.readiness().ready());
        release.run();
        assertTrue(node.readiness().ready());
    }

    private static Error instance(Class<? extends Error> error) {
        try {
            return error.getConstructor(String.class).newInstance("on purpose");
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void aConditionThatThrowsDoesNotHold() {
        try (LogLines log = new LogLines("io.understudy")) {
            Runnable release = node.readyWhile(() -> {
                throw new IllegalStateException("on purpose");
            });
            assertFalse(node.readiness().ready());
            assertFalse(node.readiness().ready());
            assertEquals(
                    1,
                    log.with("asking whether the application accepts requests").size());
            release.run();
        }
        assertTrue(node.readiness().ready());
    }
}
