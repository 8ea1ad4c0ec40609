package io.understudy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Holds the thread that logs a line, there, until the test lets it go on. Threads: any. */
final class HeldLine extends Handler implements AutoCloseable {

    private final Logger logger;
    private final Predicate<LogRecord> line;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);

    /** @param logs its logger has the line */
    HeldLine(Class<?> logs, Predicate<LogRecord> line) {
        this.logger = Logger.getLogger(logs.getName());
        this.line = line;
        logger.addHandler(this);
    }

    void awaitReached() throws InterruptedException {
        assertTrue(reached.await(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS), "the line is not logged");
    }

    /** Whether the thread is held, or would be. */
    boolean holds() {
        return mayGoOn.getCount() > 0;
    }

    void letGoOn() {
        mayGoOn.countDown();
    }

    @Override
    public void publish(LogRecord logged) {
        if (line.test(logged)) {
            reached.countDown();
            try {
                assertTrue(mayGoOn.await(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        letGoOn();
        logger.removeHandler(this);
    }
}
