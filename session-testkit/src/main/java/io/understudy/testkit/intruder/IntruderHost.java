package io.understudy.testkit.intruder;

import io.understudy.testkit.Await;
import io.understudy.testkit.netns.Jvm;
import io.understudy.testkit.netns.Network;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An intruder on a host of a network, seen from the test. Threads: one at a time. */
public final class IntruderHost implements AutoCloseable {

    private static final Duration LIMIT = Await.LIMIT;

    private final Jvm jvm;
    private final Path log;
    private final String address;
    private int done;

    /** @param log receives its output */
    public IntruderHost(Network.Host host, Path log) throws IOException {
        this.log = log;
        this.address = host.address();
        this.jvm = host.java(
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                Intruder.class.getName(),
                List.of(host.address()),
                log);
    }

    public String address() {
        return address;
    }

    /** Random bytes to all ports in the capture. */
    public String noise(Path capture) throws IOException {
        return tell("noise", capture);
    }

    /** Lengths of 2 GB in datagrams. */
    public String declareByUdp(Path capture) throws IOException {
        return tell("declare-udp", capture);
    }

    /** Lengths of 2 GB, and others, at the ports that accept connections. */
    public String declareByTcp(Path capture) throws IOException {
        return tell("declare-tcp", capture);
    }

    /** Bytes to the ports of failure detection. */
    public String side(Path capture) throws IOException {
        return tell("side", capture);
    }

    /** Everything in the capture again. */
    public String replay(Path capture) throws IOException {
        return tell("replay", capture);
    }

    /** What was in datagrams over connections, and what went over connections in datagrams. */
    public String swap(Path capture) throws IOException {
        return tell("swap", capture);
    }

    /** Asks for diagnostics: who answered. */
    public String probe(Path capture) throws IOException {
        return tell("probe", capture);
    }

    /** Returns when that is done, with what was done. */
    private String tell(String command, Path capture) throws IOException {
        jvm.tell(command + " " + capture);
        Await.until(LIMIT, () -> "the intruder is not done with " + command + ": " + said(), () -> {
            if (!jvm.alive()) {
                throw new AssertionError("the intruder ended: " + said());
            }
            return answers().size() > done;
        });
        return answers().get(done++);
    }

    private List<String> answers() {
        return said().lines().filter(line -> line.startsWith("done ")).toList();
    }

    private String said() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        jvm.close();
    }
}
