package io.understudy.threads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.ReplicationMetrics;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class ChannelThreadsTest {

    private static final long LIMIT_SECONDS = 60;

    /** Touches wait for credits of a member that takes nothing; questions about acknowledgements of others waited with them. */
    @Test
    void aTaskThatWaitsForAMemberKeepsNoPromptTask() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch prompt = new CountDownLatch(3);
        try (ChannelThreads threads = new ChannelThreads("n1", new Failures("n1", new ReplicationMetrics()))) {
            threads.every(Duration.ofMillis(1), "waiting", () -> {
                waits.countDown();
                await(release);
            });
            assertTrue(waits.await(LIMIT_SECONDS, TimeUnit.SECONDS));
            threads.everyPromptly(Duration.ofMillis(1), "asking", prompt::countDown);
            assertTrue(prompt.await(LIMIT_SECONDS, TimeUnit.SECONDS));
        } finally {
            release.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
