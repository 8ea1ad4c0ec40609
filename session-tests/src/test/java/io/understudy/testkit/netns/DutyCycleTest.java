package io.understudy.testkit.netns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What runs and stands still in turn takes no time from the others meanwhile, and is afterwards what it was. */
@Tag("process")
@EnabledOnOs(value = OS.LINUX, disabledReason = "chrt and /proc are Linux's")
class DutyCycleTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** {@code sched(7)}: SCHED_OTHER and SCHED_IDLE. */
    private static final String OTHER = "0";

    private static final String IDLE = "5";

    @Test
    void yieldsToTheOthersAndRunsAsBeforeAfterwards() throws Exception {
        Process process = new ProcessBuilder("cat").start();
        try {
            assertEquals(OTHER, policy(process));
            try (DutyCycle cycle = DutyCycle.of(process.pid(), Duration.ofMillis(10), Duration.ofMillis(10))) {
                Await.until(LIMIT, cycle::toString, () -> state(process).equals("T"));
                assertEquals(IDLE, policy(process));
            }
            Await.until(LIMIT, () -> state(process), () -> state(process).equals("S"));
            assertEquals(OTHER, policy(process));
            assertTrue(process.isAlive());
        } finally {
            process.destroyForcibly();
        }
    }

    private static String state(Process process) {
        return field(process, 3);
    }

    private static String policy(Process process) {
        return field(process, 41);
    }

    /** A field of {@code /proc/pid/stat}, counted from 1 as in {@code proc(5)}. */
    private static String field(Process process, int number) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/stat")).split(" ", -1)[number - 1];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
