package io.understudy.junit;

import io.understudy.junit.comparison.Ignored;
import io.understudy.junit.servers.Application;
import io.understudy.junit.servers.TomcatServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.catalina.session.StandardManager;

/**
 * Prints how long a test of a few requests takes in a JVM of its own, as in a build with few such tests: with {@code
 * @FailoverTest} and on one Tomcat without it, each with the start and the stop of its servers.
 *
 * <p>Run by {@link FailoverTimes}.
 */
final class FreshTimes {

    private static final int PAIRS = 3;

    private FreshTimes() {}

    /** @param arguments whether with the kit, a case of {@link FailoverTimes}, and how many sessions one after another */
    public static void main(String[] arguments) throws Throwable {
        FailoverTimes.Case each = FailoverTimes.CASES.get(Integer.parseInt(arguments[1]));
        int rounds = Integer.parseInt(arguments[2]);
        Application application = FailoverTimes.application(each);
        long began = System.nanoTime();
        double tests = Boolean.parseBoolean(arguments[0])
                ? withKit(application, each, rounds)
                : alone(application, each, rounds);
        System.out.println(tests + " " + FailoverTimes.seconds(began));
        System.exit(0);
    }

    private static double alone(Application application, FailoverTimes.Case each, int rounds) throws Exception {
        try (TomcatServer tomcat = application.start("one", new StandardManager())) {
            tomcat.context().setDistributable(false);
            long began = System.nanoTime();
            FailoverTimes.visit(new FailoverServer(tomcat.port(), ""), each, rounds, 0);
            return FailoverTimes.seconds(began);
        }
    }

    private static double withKit(Application application, FailoverTimes.Case each, int rounds) throws Throwable {
        FailoverRuns failover = new FailoverRuns(
                application, List.of(FailoverPlan.SWITCH_AND_KILL), Map.of(), Ignored.of(List.of(), List.of()));
        double tests = 0;
        for (int number = 0; number < failover.count() && failover.necessary(number); number++) {
            try (FailoverRun run = failover.begin(number)) {
                long began = System.nanoTime();
                FailoverTimes.visit(run.server(), each, rounds, 0);
                run.end(null);
                tests += FailoverTimes.seconds(began);
            }
        }
        return tests;
    }

    /** A line for a case: medians of alternating pairs of JVMs. */
    static void print(int number, int rounds) throws IOException, InterruptedException {
        List<double[]> alone = new ArrayList<>();
        List<double[]> withKit = new ArrayList<>();
        for (int pair = 0; pair < PAIRS; pair++) {
            alone.add(measured(false, number, rounds));
            withKit.add(measured(true, number, rounds));
        }
        FailoverTimes.Case each = FailoverTimes.CASES.get(number);
        System.out.printf(
                Locale.ROOT,
                "%-15s %5d: methods %4.2f s; %4.2f s; %4.2f; with servers %4.2f s; %4.2f s; %4.2f%n",
                each.servlet().getSimpleName(),
                rounds * each.paths().size(),
                median(alone, 0),
                median(withKit, 0),
                median(withKit, 0) / median(alone, 0),
                median(alone, 1),
                median(withKit, 1),
                median(withKit, 1) / median(alone, 1));
    }

    private static double median(List<double[]> times, int which) {
        return times.stream().mapToDouble(time -> time[which]).sorted().toArray()[times.size() / 2];
    }

    private static double[] measured(boolean kit, int number, int rounds) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        FreshTimes.class.getName(),
                        String.valueOf(kit),
                        String.valueOf(number),
                        String.valueOf(rounds))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException("the JVM ended with " + process.exitValue() + " after '" + line + "'");
        }
        String[] times = line.split(" ", -1);
        return new double[] {Double.parseDouble(times[0]), Double.parseDouble(times[1])};
    }
}
