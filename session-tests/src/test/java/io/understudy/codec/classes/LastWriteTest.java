package io.understudy.codec.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application stops while its list of classes takes long to write. */
@Tag("cluster")
class LastWriteTest {

    /** Nobody runs a regular task again that has thrown; here the log does, as it has no memory. */
    @Test
    void aWritingThatEndsWithAnErrorIsTriedAgain(@TempDir Path directory) throws Exception {
        Path later = directory.toRealPath().resolve("later");
        Path file = Files.createDirectory(later).resolve("classes.txt");
        Logger logger = Logger.getLogger(LearnedClasses.class.getName());
        CountDownLatch failed = new CountDownLatch(1);
        Handler full = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getLevel().equals(Level.WARNING)) {
                    failed.countDown();
                    throw new OutOfMemoryError("on purpose");
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LearnedClasses learned = new LearnedClasses(file, "/shop@n1", Duration.ofMillis(20), Duration.ofMillis(50));
        try {
            logger.addHandler(full);
            Files.move(later, later.resolveSibling("former"));
            learned.met(Set.of(LastWriteTest.class));
            assertTrue(failed.await(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS), "it could not be written");
            Files.createDirectory(later);
            Await.that(
                    "it is written",
                    () -> Files.exists(file) && ClassListFile.read(file).equals(Set.of(LastWriteTest.class.getName())));
        } finally {
            logger.removeHandler(full);
            learned.close();
        }
    }

    @Test
    void namesThatTakeLongToWriteAreWrittenAfterTheStop(@TempDir Path directory) throws Exception {
        Path file = directory.toRealPath().resolve("classes.txt");
        LearnedClasses learned = new LearnedClasses(file, "/shop@n1", Duration.ofHours(1), Duration.ofMillis(50));
        learned.met(Set.of(LastWriteTest.class));
        try (LogLines log = new LogLines("io.understudy.codec")) {
            synchronized (ClassListFile.monitor(file)) { // As a disk does that is busy.
                learned.close();
                assertFalse(Files.exists(file));
            }
            assertEquals(
                    1, log.with("WARNING", file.toString(), "longer than 50 ms").size());
        }
        Await.that(
                "it is written",
                () -> Files.exists(file) && ClassListFile.read(file).equals(Set.of(LastWriteTest.class.getName())));
    }
}
