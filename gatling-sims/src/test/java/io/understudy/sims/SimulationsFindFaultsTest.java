package io.understudy.sims;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.sims.ForgetfulShop.Fault;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The whole of a simulation, run as users run it, against a shop with one fault in one of its sessions. Starts Gatling
 * for each.
 */
@Tag("process")
class SimulationsFindFaultsTest {

    private static final int HELD = 0;

    @TempDir
    private Path results;

    @ParameterizedTest
    @CsvSource({
        "fail-over, NONE, coherent, 0",
        "fail-over, SESSION, coherent, 2",
        "fail-over, WRITE, coherent, 2",
        "fail-over, ARTICLE, coherent, 2",
        "fail-over, WRITE, incoherent, 0",
        "latency, NONE, coherent, 0",
        "latency, SLOW_LOGIN, coherent, 0",
        "latency, STALE, coherent, 2",
        "latency, STALE, incoherent, 0"
    })
    void aSimulationFailsExactlyIfThereIsAFault(String simulation, Fault fault, String coherence, int expected)
            throws Exception {
        try (ForgetfulShop shop = new ForgetfulShop(fault)) {
            List<String> output = new ArrayList<>();
            int code = run(output, simulation, "door=" + shop.door(), "coherence=" + coherence);
            String text = String.join("\n", output);
            assertEquals(expected, code, text);
            assertTrue(text.contains(expected == HELD ? " : true" : " : false"), text);
            assertEquals(fault == Fault.SESSION, text.contains("LOST_SESSION"), text);
            assertEquals(fault == Fault.WRITE || fault == Fault.ARTICLE, text.contains("LOST_WRITE"), text);
        }
    }

    private int run(List<String> output, String simulation, String... settings)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dunderstudy.sims.results=" + results,
                "-classpath",
                System.getProperty("java.class.path"),
                Run.class.getName(),
                simulation,
                "sessions=20",
                "rate=40",
                "seconds=2",
                "absent=1"));
        command.addAll(List.of(settings));
        Path log = results.resolve("output");
        try (ServerSocket internet = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ProcessBuilder builder = new ProcessBuilder(command);
            // For Gatling's JVM too: whoever wants to leave the machine comes by here.
            builder.environment()
                    .put(
                            "JDK_JAVA_OPTIONS",
                            "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort="
                                    + internet.getLocalPort());
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                assertTrue(process.waitFor(2, TimeUnit.MINUTES), "the simulation did not end");
            } finally {
                process.destroyForcibly();
            }
            // A connection made waits in the backlog, so that accept returns it at once.
            internet.setSoTimeout(1);
            assertThrows(SocketTimeoutException.class, internet::accept, "Gatling called somebody");
            output.addAll(Files.readAllLines(log, StandardCharsets.UTF_8));
            return process.exitValue();
        }
    }
}
