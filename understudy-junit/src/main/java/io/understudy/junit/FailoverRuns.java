package io.understudy.junit;

import io.understudy.doctor.findings.Finding;
import io.understudy.junit.comparison.Exchange;
import io.understudy.junit.comparison.FailureText;
import io.understudy.junit.comparison.Ignored;
import io.understudy.junit.comparison.Reference;
import io.understudy.junit.front.Front;
import io.understudy.junit.front.RunRecord;
import io.understudy.junit.servers.Application;
import io.understudy.junit.sites.ClusterSite;
import io.understudy.junit.sites.SingleSite;
import io.understudy.junit.sites.Site;
import io.understudy.junit.sites.StartingCluster;
import io.understudy.junit.sites.Turns;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * The runs of one test: one on one node, one for each plan, and, if something differs, a last one on one node that shows
 * what differs each time.
 *
 * <p>Threads: one at a time.
 */
final class FailoverRuns {

    /**
     * The run of a plan that is not as the one on one node.
     *
     * @param notes what the run did not test
     * @param failed why the test did not pass; {@code null} if it did
     */
    private record Suspect(
            String title,
            List<Exchange> exchanges,
            List<Finding> findings,
            List<String> notes,
            @Nullable Throwable failed) {}

    private static final Logger LOG = System.getLogger(FailoverRuns.class.getName());

    private final Application application;
    private final List<FailoverPlan> plans;
    private final Map<String, String> settings;
    private final Ignored ignored;
    private final List<Suspect> suspects = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** The run on one node, once it has passed. */
    private @Nullable List<Exchange> expected;

    /** From the first run to the last plan, or to one that kills a node. */
    private @Nullable StartingCluster cluster;

    /**
     * @param settings of the application, by name
     * @param ignored what may differ
     */
    FailoverRuns(Application application, List<FailoverPlan> plans, Map<String, String> settings, Ignored ignored) {
        this.application = application;
        this.plans = plans.stream().distinct().sorted().toList();
        this.settings = settings;
        this.ignored = ignored;
    }

    /** @throws IllegalArgumentException if the annotation names something that is not there */
    static FailoverRuns of(FailoverTest test) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String setting : test.settings()) {
            String[] parts = setting.split("=", 2);
            if (parts.length < 2) {
                throw new IllegalArgumentException("'settings' of @FailoverTest has '" + setting
                        + "': expected name=value, such as coherence=incoherent");
            }
            settings.put(parts[0].strip(), parts[1].strip());
        }
        return new FailoverRuns(
                application(test),
                Arrays.asList(test.plans()),
                settings,
                Ignored.of(Arrays.asList(test.ignore()), Arrays.asList(test.ignoreInResponses())));
    }

    /** @throws IllegalArgumentException if the annotation names none, two, or something that is not there */
    private static Application application(FailoverTest test) {
        boolean boot = test.application() != void.class;
        if (boot == !test.war().isEmpty()) {
            throw new IllegalArgumentException("@FailoverTest has " + (boot ? "both 'war' and" : "neither 'war' nor")
                    + " 'application': expected one of the two, which is run on each node");
        }
        return boot
                ? Application.ofSpringBoot(test.application().getName(), Arrays.asList(test.properties()))
                : Application.ofWar(test.war(), Arrays.asList(test.classes()), test.contextPath());
    }

    /** How many runs there may be. */
    int count() {
        return plans.size() + 2;
    }

    private boolean last(int run) {
        return run == plans.size() + 1;
    }

    /** Whether a run is necessary; known when the run before it is over. */
    boolean necessary(int run) {
        return !last(run) || !suspects.isEmpty();
    }

    /** The two nodes start beside the first run, and anew for a plan after one that killed a node. */
    private boolean startsWithCluster(int run) {
        return run == 0 ? !plans.isEmpty() : expected != null && !last(run);
    }

    /** What a run is, for reports. */
    String title(int run) {
        return run == 0
                ? "one node"
                : last(run)
                        ? "verdict, after one node again"
                        : plans.get(run - 1).title();
    }

    /**
     * Starts the servers of a run. To be closed.
     *
     * @throws TestAbortedException if the test failed on one node, so that there is nothing to compare with
     */
    FailoverRun begin(int run) throws InterruptedException {
        if (cluster == null && startsWithCluster(run)) {
            cluster = new StartingCluster(application, settings);
        }
        RunRecord record = new RunRecord();
        Front front = new Front(record);
        boolean begun = false;
        try {
            Site site = run == 0 || last(run) ? new SingleSite(application) : cluster(run);
            site.begin(front.port());
            front.open(site);
            begun = true;
            return new FailoverRun(this, run, record, front, site);
        } finally {
            if (!begun) {
                front.close();
                closeCluster();
            }
        }
    }

    private ClusterSite cluster(int run) throws InterruptedException {
        StartingCluster starting = cluster;
        List<Exchange> reference = expected;
        if (starting == null || reference == null) {
            throw new TestAbortedException("the test has not passed on one node, so '" + title(run)
                    + "' has nothing to be compared with; run all" + " runs of the test");
        }
        ClusterSite site = starting.await();
        FailoverPlan plan = plans.get(run - 1);
        site.plan(new Turns(plan.switches(), plan.kills(), plan.killAfter(reference)));
        return site;
    }

    /** Stops the two servers of the plans, unless they have stopped already. */
    void closeCluster() {
        StartingCluster starting = cluster;
        cluster = null;
        if (starting != null) {
            starting.close();
        }
    }

    /**
     * The test method of a run has returned.
     *
     * @param failed why the test did not pass; {@code null} if it did
     * @throws Throwable that, or in the last run what is different
     */
    void end(int run, RunRecord record, Site site, @Nullable Throwable failed) throws Throwable {
        List<Exchange> reference = expected;
        if (run == 0) {
            expected = failed == null ? record.exchanges() : null;
        } else if (reference != null && !last(run) && !(failed instanceof TestAbortedException)) {
            List<Exchange> exchanges = record.exchanges();
            Reference.Outcome outcome = new Reference(reference, reference, ignored).compare(exchanges, failed == null);
            List<String> notes = new ArrayList<>(site.notes());
            notes.addAll(outcome.uncompared());
            note(title(run), notes);
            if (outcome.first() != null) {
                suspects.add(new Suspect(title(run), exchanges, site.findings(), notes, failed));
            }
        }
        if (failed != null) {
            throw failed;
        }
        if (reference != null && last(run)) {
            judge(new Reference(reference, record.exchanges(), ignored));
        }
    }

    private void note(String run, List<String> lines) {
        for (String line : lines) {
            notes.add("in the run '" + run + "' is not compared: " + line);
            LOG.log(Level.WARNING, "@FailoverTest, in the run ''{0}'' is not compared: {1}", run, line);
        }
    }

    /** What was not compared, in each run so far. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    private void judge(Reference reference) {
        AssertionFailedError failure = null;
        for (Suspect suspect : suspects) {
            Reference.Outcome outcome = reference.compare(suspect.exchanges(), suspect.failed() == null);
            if (outcome.first() != null) {
                AssertionFailedError next = FailureText.of(
                        suspect.title(),
                        outcome.first(),
                        outcome.lost(),
                        suspect.findings(),
                        suspect.notes(),
                        suspect.failed());
                if (failure == null) {
                    failure = next;
                } else {
                    failure.addSuppressed(next);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The servers of a run are not used any more. Those of the plans may be. */
    void close(int run, Site site) {
        boolean single = run == 0 || last(run);
        if (single) {
            site.close();
        }
        if (run == plans.size()
                || expected == null
                || (!single && plans.get(run - 1).kills())) {
            closeCluster();
        }
    }
}
