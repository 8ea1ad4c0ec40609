package io.understudy.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process's network namespace sends to others. */
public final class WireBytes {

    private static final Path INTERFACES = Path.of("/proc/net/dev");

    /** The field of it: after the interface's name and eight of what was received. */
    private static final int SENT_BYTES = 9;

    private WireBytes() {}

    /** Bytes sent so far, by any interface but loopback; a multicast counts once. */
    public static long sent() throws IOException {
        return Files.readAllLines(INTERFACES).stream()
                .map(line -> line.trim().split("[:\\s]+"))
                .filter(fields -> fields.length > SENT_BYTES && !fields[0].equals("lo") && fields[1].matches("\\d+"))
                .mapToLong(fields -> Long.parseLong(fields[SENT_BYTES]))
                .sum();
    }
}
