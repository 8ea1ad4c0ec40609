package io.understudy.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What this process has used so far. Of a thread that ends, what it used after the last look is missing.
 *
 * <p>Threads: one.
 */
final class ProcessUsage {

    private static final Path TASKS = Path.of("/proc/self/task");
    private static final String SWITCHES = "voluntary_ctxt_switches:";

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Growth switches = new Growth();
    private final Growth allocated = new Growth();

    /** The sum of counters by thread; numbers of threads may be used again. */
    private static final class Growth {
        private Map<Long, Long> last = new HashMap<>();
        private long sum;

        long add(Map<Long, Long> now) {
            now.forEach((thread, count) -> {
                long before = last.getOrDefault(thread, 0L);
                sum += count >= before ? count - before : count;
            });
            last = now;
            return sum;
        }
    }

    /** Processor time of all threads, those of the JVM too, in nanoseconds. */
    long cpuNanos() {
        return system.getProcessCpuTime();
    }

    /**
     * {@code cpu} in nanoseconds; {@code switches}, the voluntary ones of all threads; {@code allocated} by Java threads, {@code wire} sent to
     * other hosts, both in bytes.
     *
     * @throws IOException if {@code /proc} can't be read
     */
    Figures figures() throws IOException {
        return Figures.of(Map.of(
                "cpu",
                cpuNanos(),
                "switches",
                switches.add(voluntarySwitches()),
                "allocated",
                allocated.add(allocations()),
                "wire",
                WireBytes.sent()));
    }

    private static Map<Long, Long> voluntarySwitches() throws IOException {
        Map<Long, Long> switches = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                for (String line : status(task)) {
                    if (line.startsWith(SWITCHES)) {
                        switches.put(
                                Long.valueOf(String.valueOf(task.getFileName())),
                                Long.valueOf(line.substring(SWITCHES.length()).trim()));
                    }
                }
            }
        }
        return switches;
    }

    /** Of a thread that has ended meanwhile nothing: its file can't be opened, or not be read. */
    private static List<String> status(Path task) {
        try {
            return Files.readAllLines(task.resolve("status"));
        } catch (IOException e) {
            return List.of();
        }
    }

    private Map<Long, Long> allocations() {
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        Map<Long, Long> allocations = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0) {
                allocations.put(ids[i], bytes[i]);
            }
        }
        return allocations;
    }
}
