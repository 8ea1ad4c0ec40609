package io.understudy.testkit.netns;

import io.understudy.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * All that crosses a {@link Network}, written to a file by tcpdump until this is closed.
 *
 * <p>Threads: any.
 */
public final class Capture implements AutoCloseable {

    private static final Duration LIMIT = Await.LIMIT;

    private final Process tcpdump;
    private final Path file;
    private final Path said;

    private final Network.Host teller;

    private Capture(Process tcpdump, Path file, Path said, Network.Host teller) {
        this.teller = teller;
        this.tcpdump = tcpdump;
        this.file = file;
        this.said = said;
    }

    /** Skips the test, loudly, where there is no tcpdump; in continuous integration (CI=true) it fails instead. */
    public static void assume() {
        try {
            Shell.run("tcpdump", "--version");
        } catch (IllegalStateException e) {
            String missing = "'tcpdump --version' must work: " + e.getMessage();
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail("nothing may be skipped with CI=true: " + missing);
            }
            System.err.println("SKIPPED, needs tcpdump: " + missing);
            Assumptions.abort(missing);
        }
    }

    /** Returns when it listens. */
    static Capture of(String link, Network.Host teller, Path file) throws IOException {
        Path said = file.resolveSibling(file.getFileName() + ".log");
        Process tcpdump = new ProcessBuilder(
                        List.of("tcpdump", "-n", "-U", "-B", "65536", "-Z", "root", "-i", link, "-w", file.toString()))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        Capture capture = new Capture(tcpdump, file, said, teller);
        Await.until(
                LIMIT,
                () -> "tcpdump does not listen: " + capture.said(),
                () -> capture.said().contains("listening on"));
        return capture;
    }

    private boolean holds(String words) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String said() {
        try {
            return Files.exists(said) ? Files.readString(said) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The file, in the format of libpcap; whole when this is closed. */
    public Path file() {
        return file;
    }

    /** Ends it when it has written all that was sent until now; fails if it missed anything. */
    @Override
    public void close() {
        try {
            String last = "the last of this capture " + System.nanoTime();
            // Nobody listens at the port of the service 'discard'.
            Shell.run(List.of(
                    "ip",
                    "netns",
                    "exec",
                    teller.namespace(),
                    "bash",
                    "-c",
                    "echo '" + last + "' > /dev/udp/10.78.0.1/9"));
            Await.until(LIMIT, () -> "the last datagram is not in " + file, () -> holds(last));
            tcpdump.destroy();
            if (!tcpdump.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                tcpdump.destroyForcibly();
                throw new IllegalStateException("tcpdump did not end within " + LIMIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (!said().contains("\n0 packets dropped by kernel")) {
            throw new IllegalStateException("tcpdump missed something: " + said());
        }
    }
}
