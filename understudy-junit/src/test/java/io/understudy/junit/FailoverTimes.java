package io.understudy.junit;

import io.understudy.junit.comparison.Ignored;
import io.understudy.junit.samples.CleanCart;
import io.understudy.junit.samples.CleanIds;
import io.understudy.junit.samples.CleanLogin;
import io.understudy.junit.samples.CleanTransient;
import io.understudy.junit.samples.CleanValues;
import io.understudy.junit.samples.SampleWar;
import io.understudy.junit.servers.Application;
import io.understudy.junit.servers.TomcatServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.catalina.session.StandardManager;

/**
 * Prints how long tests of the clean samples take with {@code @FailoverTest}, and on one Tomcat without it. Counted is the
 * time of the test methods in all runs. The start and the stop of the nodes are shown apart. Then the same of short tests,
 * each in a JVM of its own.
 *
 * <p>Run it with {@code mvn -pl understudy-junit -am verify -DskipTests -Dtimes.skip=false}.
 */
public final class FailoverTimes {

    /** How long a test takes on one Tomcat, about. */
    private static final long NANOS = 2_000_000_000L;

    record Case(Class<?> servlet, List<String> paths) {}

    static final List<Case> CASES = List.of(
            new Case(CleanCart.class, List.of("/?item=tea", "/?item=cup", "/?item=tea", "/?item=pot")),
            new Case(CleanLogin.class, List.of("/page", "/login?user=ann", "/page", "/logout", "/page")),
            new Case(CleanTransient.class, List.of("/add?price=5", "/total", "/add?price=7", "/total")),
            new Case(CleanIds.class, List.of("/", "/", "/", "/")),
            new Case(CleanValues.class, List.of("/", "/", "/", "/")));

    private FailoverTimes() {}

    /** Prints a line for each sample, without and with a time in which each page is made or looked at. */
    public static void main(String[] arguments) throws Throwable {
        System.out.println(
                "sample, time for each page, requests: one Tomcat; all runs; ratio; each run; nodes' start and stop");
        for (int pageMillis : new int[] {0, 5, 20}) {
            for (Case each : CASES) {
                print(each, pageMillis);
            }
        }
        System.out.println("in fresh JVMs, requests: one Tomcat; all runs; ratio");
        for (int rounds : new int[] {1, 5, 20}) {
            FreshTimes.print(0, rounds);
            FreshTimes.print(3, rounds);
        }
    }

    static Application application(Case each) throws IOException {
        return Application.ofWar(SampleWar.of(each.servlet()).toString(), List.of(), "");
    }

    private static void print(Case each, int pageMillis) throws Throwable {
        Application application = application(each);
        int rounds = 0;
        double alone;
        try (TomcatServer tomcat = application.start("one", new StandardManager())) {
            tomcat.context().setDistributable(false);
            FailoverServer server = new FailoverServer(tomcat.port(), "");
            long end = System.nanoTime() + NANOS;
            while (System.nanoTime() < end) {
                visit(server, each, 1, pageMillis); // Also compiles the code.
                rounds++;
            }
            long began = System.nanoTime();
            visit(server, each, rounds, pageMillis);
            alone = seconds(began);
        }
        List<Double> runs = new ArrayList<>();
        long all = System.nanoTime();
        FailoverRuns failover = new FailoverRuns(
                application, List.of(FailoverPlan.SWITCH_AND_KILL), Map.of(), Ignored.of(List.of(), List.of()));
        for (int number = 0; number < failover.count() && failover.necessary(number); number++) {
            try (FailoverRun run = failover.begin(number)) {
                long began = System.nanoTime();
                visit(run.server(), each, rounds, pageMillis);
                run.end(null);
                runs.add(seconds(began));
            }
        }
        double tests = runs.stream().mapToDouble(Double::doubleValue).sum();
        System.out.printf(
                Locale.ROOT,
                "%-15s %2d ms %5d: %4.1f s; %5.1f s; %4.2f; %s; %.1f s%n",
                each.servlet().getSimpleName(),
                pageMillis,
                rounds * each.paths().size(),
                alone,
                tests,
                tests / alone,
                runs.stream()
                        .map(run -> String.format(Locale.ROOT, "%.1f", run))
                        .toList(),
                seconds(all) - tests);
    }

    /** Each round is a session. */
    static void visit(FailoverServer server, Case each, int rounds, int pageMillis) throws Exception {
        for (int round = 0; round < rounds; round++) {
            Visitor visitor = new Visitor(server);
            for (String path : each.paths()) {
                Thread.sleep(pageMillis);
                int status = visitor.visit(path).statusCode();
                if (status != 200) {
                    throw new IllegalStateException(path + " has the status " + status);
                }
            }
        }
    }

    static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }
}
