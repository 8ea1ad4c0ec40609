package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session takes beside its values, counted by the JVM in a process of its own. */
@Tag("process")
class HeapPerSessionTest {

    private static final int BYTES_PER_SESSION = 400;
    private static final int BYTES_PER_ATTRIBUTE = 64;

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void aSessionTakesLittleBesideItsValues(int attributes) throws Exception {
        int limit = BYTES_PER_SESSION + attributes * BYTES_PER_ATTRIBUTE;
        assertTakes("heap beside values", String.valueOf(attributes), limit);
    }

    @Test
    void aTombstoneTakesWhatItIsCountedFor() throws Exception {
        assertTakes("heap of a tombstone", HeapPerSession.TOMBSTONES, Memory.TOMBSTONE_BYTES);
    }

    private static void assertTakes(String what, String argument, int limit) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:MarkSweepDeadRatio=0", // No garbage stays for not being worth a move.
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeapPerSession.class.getName(),
                        argument)
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it ends");
            assertEquals(0, process.exitValue(), output);
            Matcher line = Pattern.compile(what + ": (\\d+)").matcher(output);
            assertTrue(line.find(), output);
            int bytes = Integer.parseInt(line.group(1));
            System.out.println(what + ", " + argument + ": " + bytes + " bytes");
            assertTrue(bytes <= limit, bytes + " bytes, at most " + limit + " are allowed");
            assertTrue(bytes > 100, "a count that can't be: " + bytes);
        } finally {
            process.destroyForcibly();
        }
    }
}
