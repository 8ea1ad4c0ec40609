package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions on disk beside other processes, and on a disk of their own. */
@Tag("process")
class SpillProcessTest {

    @TempDir
    private Path temporary;

    private Path base() {
        return temporary.resolve("spill");
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(Await.LIMIT.toSeconds(), TimeUnit.SECONDS), "it ends");
            assertEquals(0, process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    private void cleanInAnotherProcess() throws IOException, InterruptedException {
        run(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SpillCleaning.class.getName(),
                base().toString());
    }

    @Test
    void anotherProcessLeavesTwoNodesOfThisOneAlone() throws Exception {
        try (BoundedStore first = new BoundedStore(base())) {
            first.fill(0, 300);
            try (BoundedStore second = new BoundedStore(base())) {
                second.fill(0, 300);
                cleanInAnotherProcess();
                assertEquals(2, BoundedStore.directories(base()).size());
            }
        }
    }

    @Test
    void anotherProcessLeavesANodeWithoutLockFileAlone() throws Exception {
        try (BoundedStore sessions = new BoundedStore(base())) {
            sessions.fill(0, 300);
            Path own = BoundedStore.directories(base()).get(0);
            Files.delete(own.resolve("lock"));
            cleanInAnotherProcess();
            assertTrue(Files.exists(own));
        }
    }

    @Test
    void aDiskThatWasFullIsUsedOnceThereIsRoom() throws Exception {
        Files.createDirectory(base());
        run("mount", "-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", base().toString());
        try (BoundedStore sessions = new BoundedStore(base())) {
            Path others = Files.write(base().resolve("others"), new byte[8 << 20]);
            sessions.fill(0, 600);
            assertTrue(sessions.errors() > 0, "19 MB do not fit");
            assertTrue(sessions.memory.bytes() > 2 * BoundedStore.BOUND, "nothing is given up");
            sessions.assertHeld(0, 600);
            Files.delete(others);
            long spilled = sessions.memory.spilledBytes();
            Await.until(Await.LIMIT, () -> sessions.memory.spilledBytes() + " bytes on disk", () -> {
                sessions.store.sweep();
                return sessions.memory.spilledBytes() > spilled + (4 << 20);
            });
            sessions.assertHeld(0, 600);
        } finally {
            run("umount", base().toString());
        }
    }
}
