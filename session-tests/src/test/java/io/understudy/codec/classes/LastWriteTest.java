package io.understudy.codec.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application stops while its list of classes takes long to write. */
@Tag("cluster")
class LastWriteTest {

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
