package io.understudy.sims;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs one simulation: starts a demo cluster, loads it by Gatling, ends both. With the setting {@code door} it uses a
 * demo that runs already.
 *
 * <pre>
 * Run fail-over | latency  [setting=value ...]
 * </pre>
 *
 * <p>Exit codes: 0 if all assertions held, 2 if not, 1 if it could not be run, 64 for wrong arguments.
 */
public final class Run {

    private static final Map<String, Class<?>> SIMULATIONS =
            Map.of("fail-over", FailOverSimulation.class, "latency", ReplicationLatencySimulation.class);

    /** Where reports and the demo's log go. */
    private static final String RESULTS = "understudy.sims.results";

    /** What Gatling may need beyond the simulation's own bound, to start and to write its report; seconds. */
    private static final long GATLING_SECONDS = 120;

    private static final int FAILED = 1;
    private static final int USAGE = 64;

    private Run() {}

    public static void main(String[] args) throws InterruptedException {
        int code;
        try {
            code = run(args);
        } catch (IllegalArgumentException e) {
            System.err.println("Understudy simulations: " + e.getMessage());
            code = USAGE;
        } catch (IOException e) {
            System.err.println("Understudy simulations: " + e.getMessage());
            code = FAILED;
        }
        System.exit(code);
    }

    private static int run(String... args) throws IOException, InterruptedException {
        String name = args.length == 0 ? "" : args[0];
        Class<?> simulation = SIMULATIONS.get(name);
        if (simulation == null) {
            throw new IllegalArgumentException("the first argument must be one of "
                    + SIMULATIONS.keySet().stream().sorted().toList() + ", was '" + name + "'");
        }
        Properties properties = new Properties();
        for (int i = 1; i < args.length; i++) {
            Map.Entry<String, String> property = Settings.property(args[i]);
            properties.setProperty(property.getKey(), property.getValue());
        }
        Settings settings = Settings.from(properties);
        Path results = Path.of(System.getProperty(RESULTS, "target/gatling")).toAbsolutePath();
        Files.createDirectories(results);
        if (settings.runsAlready()) {
            return gatling(simulation, settings, results, null);
        }
        Path log = results.resolve("demo-" + name + ".log");
        System.out.println("Starting a demo cluster (" + settings.coherence() + ", " + settings.transport()
                + "); its log is " + log);
        try (DemoProcess demo = DemoProcess.start(settings, log)) {
            return gatling(simulation, settings.at(demo.ready()), results, demo);
        }
    }

    /** Gatling ends the JVM it runs in, and wants it opened: it gets its own. */
    private static int gatling(Class<?> simulation, Settings settings, Path results, @Nullable DemoProcess demo)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx1g");
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        if (Runtime.version().feature() >= 24) {
            // Netty's, without a warning each.
            command.add("--enable-native-access=ALL-UNNAMED");
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        command.add("-Djava.util.prefs.PreferencesFactory=" + NoUpdateCheck.class.getName());
        command.addAll(settings.toOptions());
        command.addAll(List.of("-classpath", System.getProperty("java.class.path"), "io.gatling.app.Gatling"));
        command.addAll(List.of("--simulation", simulation.getName(), "--results-folder", results.toString()));
        Process gatling = new ProcessBuilder(command).inheritIO().start();
        // Stays: without effect on what has ended already.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            gatling.destroyForcibly();
            if (demo != null) {
                demo.close();
            }
        }));
        try {
            if (gatling.waitFor(settings.longestSeconds() + GATLING_SECONDS, TimeUnit.SECONDS)) {
                if (demo != null) {
                    demo.checkAlive();
                }
                return gatling.exitValue();
            }
            throw new IOException(simulation.getSimpleName() + " did not end in time");
        } finally {
            gatling.destroyForcibly();
        }
    }
}
