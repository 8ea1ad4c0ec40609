package io.understudy.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.testkit.Await;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("cluster")
@Timeout(120)
class ChannelThreadsTest {

    private final ReplicationMetrics metrics = new ReplicationMetrics();
    private final ChannelThreads threads = new ChannelThreads("n1", new Failures("n1", metrics));
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void aRegularTaskGoesOnAfterAnError() {
        threads.every(Duration.ofMillis(1), "a test", () -> {
            if (runs.incrementAndGet() == 3) {
                throw new OutOfMemoryError("a test's");
            }
        });
        Await.until(Await.LIMIT, runs::get, () -> runs.get() > 5);
        assertEquals(1, metrics.value(Counter.FAILURES_SURVIVED));
    }
}
