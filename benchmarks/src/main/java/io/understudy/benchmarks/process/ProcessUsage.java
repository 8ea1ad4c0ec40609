package io.understudy.benchmarks.process;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.understudy.benchmarks.figures.Figures;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What this process has used so far, without what a thread that has ended used after the last look.
 *
 * <p>Threads: one.
 */
public final class ProcessUsage {

    private static final Path TASKS = Path.of("/proc/self/task");
    private static final String SWITCHES = "voluntary_ctxt_switches:";

    /** Linux counts the processor time of a thread in ticks of this length, on all its usual builds. */
    private static final long NANOS_PER_TICK = 10_000_000;

    /** How the names of HotSpot's threads begin, by what they are for; Linux keeps 15 characters. */
    private static final Map<String, List<String>> OF_THE_JVM = Map.of(
            "compiler", List.of("C1 CompilerThre", "C2 CompilerThre"),
            "gc", List.of("GC Thread", "G1 ", "VM Thread"));

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Growth switches = new Growth();
    private final Growth allocated = new Growth();
    private final Map<String, Growth> ofTheJvm = new HashMap<>();

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
    public long cpuNanos() {
        return system.getProcessCpuTime();
    }

    /**
     * {@code cpu} in nanoseconds, and of it {@code compiler} and {@code gc}; {@code switches}, the voluntary ones of
     * all threads; {@code allocated} by Java threads, {@code wire} sent to other hosts, both in bytes.
     *
     * @throws IOException if {@code /proc} can't be read
     */
    public Figures figures() throws IOException {
        Map<String, Long> figures = new HashMap<>(Map.of(
                "cpu",
                cpuNanos(),
                "switches",
                switches.add(voluntarySwitches()),
                "allocated",
                allocated.add(allocations()),
                "wire",
                WireBytes.sent()));
        for (Map.Entry<String, List<String>> kind : OF_THE_JVM.entrySet()) {
            figures.put(
                    kind.getKey(),
                    ofTheJvm.computeIfAbsent(kind.getKey(), any -> new Growth()).add(processorTime(kind.getValue())));
        }
        return Figures.of(figures);
    }

    /** The processor time of each thread whose name begins so, in nanoseconds. */
    private static Map<Long, Long> processorTime(List<String> beginnings) throws IOException {
        Map<Long, Long> nanos = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                for (String line : lines(task.resolve("stat"))) {
                    String name = line.substring(line.indexOf('(') + 1, line.lastIndexOf(')'));
                    if (beginnings.stream().anyMatch(name::startsWith)) {
                        // proc(5): fields 14 and 15 of the line are utime and stime; the third one follows the name.
                        String[] fields =
                                line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
                        nanos.put(
                                Long.valueOf(String.valueOf(task.getFileName())),
                                (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * NANOS_PER_TICK);
                    }
                }
            }
        }
        return nanos;
    }

    private static Map<Long, Long> voluntarySwitches() throws IOException {
        Map<Long, Long> switches = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                for (String line : lines(task.resolve("status"))) {
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
    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
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
