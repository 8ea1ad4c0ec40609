package io.understudy.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.junit.comparison.Ignored;
import io.understudy.junit.samples.CachedObject;
import io.understudy.junit.samples.CleanCart;
import io.understudy.junit.samples.CleanIds;
import io.understudy.junit.samples.CleanLogin;
import io.understudy.junit.samples.CleanTransient;
import io.understudy.junit.samples.CleanValues;
import io.understudy.junit.samples.ContextAttribute;
import io.understudy.junit.samples.DroppingSerialization;
import io.understudy.junit.samples.EmptySession;
import io.understudy.junit.samples.Identity;
import io.understudy.junit.samples.IdentityKey;
import io.understudy.junit.samples.InnerClass;
import io.understudy.junit.samples.LambdaComparator;
import io.understudy.junit.samples.LargeAttribute;
import io.understudy.junit.samples.NodeClock;
import io.understudy.junit.samples.NotSerializable;
import io.understudy.junit.samples.NotSerializablePart;
import io.understudy.junit.samples.ResolvedAnew;
import io.understudy.junit.samples.SampleWar;
import io.understudy.junit.samples.SecretOfANode;
import io.understudy.junit.samples.SequenceNumber;
import io.understudy.junit.samples.ServletField;
import io.understudy.junit.samples.SessionRegistry;
import io.understudy.junit.samples.SharedObject;
import io.understudy.junit.samples.StaticCache;
import io.understudy.junit.samples.TemporaryFile;
import io.understudy.junit.samples.TransientField;
import io.understudy.junit.servers.Application;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** Twenty small applications with one fault each, and five without. */
@Tag("container")
class FailoverSamplesIT {

    /** How many of the faults have to be found. */
    private static final int FOUND = 18;

    /**
     * An application.
     *
     * @param named what the failure has to name; empty if there is no fault
     */
    private record Sample(Class<?> servlet, String named, List<String> paths, Map<String, String> settings) {

        static Sample faulty(Class<?> servlet, String named, String... paths) {
            return new Sample(servlet, named, List.of(paths), Map.of());
        }

        static Sample clean(Class<?> servlet, String... paths) {
            return new Sample(servlet, "", List.of(paths), Map.of());
        }
    }

    /**
     * How a sample came out.
     *
     * @param failures of the verdict, one for each plan
     * @param ratio of the time of the test to that of a run on one node without a further one
     */
    private record Outcome(Sample sample, List<String> failures, double ratio) {

        boolean found() {
            return failures.stream().anyMatch(each -> each.contains(sample.named()));
        }

        String line() {
            String first = failures.isEmpty() ? "nothing" : failures.get(0).replaceAll("\\s+", " ");
            return String.format("%-22s %4.1f %s", sample.servlet().getSimpleName(), ratio, first);
        }
    }

    private static final List<Sample> FAULTY = List.of(
            Sample.faulty(TransientField.class, "transient cart.items", "/?item=tea", "/?item=cup", "/?item=pot"),
            Sample.faulty(ServletField.class, "body: ", "/?item=tea", "/?item=cup", "/?item=pot"),
            Sample.faulty(StaticCache.class, "static field", "/?user=ann", "/", "/"),
            Sample.faulty(Identity.class, "identity", "/", "/", "/"),
            Sample.faulty(NotSerializable.class, "attribute cart ", "/?item=tea", "/?item=cup"),
            Sample.faulty(NotSerializablePart.class, "cart[0].price", "/?item=tea", "/?item=cup"),
            Sample.faulty(NodeClock.class, "body: ", "/", "/", "/"),
            Sample.faulty(ContextAttribute.class, "ServletContext", "/?bid=10", "/?bid=5", "/?bid=7"),
            Sample.faulty(TemporaryFile.class, "file of the node", "/?text=hello", "/", "/"),
            Sample.faulty(SharedObject.class, "basket", "/?item=tea", "/?item=cup", "/?item=pot"),
            Sample.faulty(CachedObject.class, "", "/?item=tea", "/?item=cup", "/?item=pot"),
            Sample.faulty(IdentityKey.class, "body: ", "/", "/", "/"),
            Sample.faulty(SessionRegistry.class, "body: ", "/", "/", "/"),
            Sample.faulty(DroppingSerialization.class, "cart.discount after it", "/", "/"),
            Sample.faulty(ResolvedAnew.class, "preferences.language", "/?language=de", "/"),
            Sample.faulty(InnerClass.class, "", "/?user=ann", "/", "/"),
            Sample.faulty(LambdaComparator.class, "attribute words ", "/?word=tea", "/?word=cups"),
            Sample.faulty(SequenceNumber.class, "orders", "/", "/", "/"),
            Sample.faulty(SecretOfANode.class, "body: ", "/", "/", "/"),
            Sample.faulty(LargeAttribute.class, "attribute report ", "/", "/"));

    private static final List<Sample> CLEAN = List.of(
            Sample.clean(CleanCart.class, "/?item=tea", "/?item=cup", "/?item=tea", "/?item=pot"),
            Sample.clean(CleanLogin.class, "/page", "/login?user=ann", "/page", "/logout", "/page", "/login?user=eve"),
            Sample.clean(CleanTransient.class, "/add?price=5", "/total", "/add?price=7", "/total"),
            Sample.clean(CleanIds.class, "/", "/", "/", "/"),
            Sample.clean(CleanValues.class, "/", "/", "/", "/"));

    private static Outcome outcome(Sample sample) throws Throwable {
        Application application =
                Application.ofWar(SampleWar.of(sample.servlet()).toString(), List.of(), "");
        List<String> failures = new ArrayList<>();
        long alone = nanos(application, List.of(), sample, failures);
        long all = nanos(application, List.of(FailoverPlan.SWITCH_AND_KILL), sample, failures);
        return new Outcome(sample, failures, (double) all / alone);
    }

    /** The time of all runs with these plans. */
    private static long nanos(Application application, List<FailoverPlan> plans, Sample sample, List<String> failures)
            throws Throwable {
        long began = System.nanoTime();
        FailoverRuns runs = new FailoverRuns(application, plans, sample.settings(), Ignored.of(List.of(), List.of()));
        for (int number = 0; number < runs.count() && runs.necessary(number); number++) {
            try (FailoverRun run = runs.begin(number)) {
                Visitor visitor = new Visitor(run.server());
                for (String path : sample.paths()) {
                    visitor.visit(path);
                }
                run.end(null);
            } catch (AssertionFailedError e) {
                failures.add(String.valueOf(e.getMessage()));
                Arrays.stream(e.getSuppressed()).map(Throwable::getMessage).forEach(failures::add);
            }
        }
        return System.nanoTime() - began;
    }

    private static List<Outcome> outcomes(List<Sample> samples) throws Throwable {
        List<Outcome> outcomes = new ArrayList<>();
        for (Sample sample : samples) {
            outcomes.add(outcome(sample));
        }
        outcomes.forEach(outcome -> System.out.println(outcome.line()));
        double[] ratios = outcomes.stream().mapToDouble(Outcome::ratio).sorted().toArray();
        System.out.printf(
                "time of all runs / time on one node: median %.1f, most %.1f%n",
                ratios[ratios.length / 2], ratios[ratios.length - 1]);
        return outcomes;
    }

    @Test
    void atLeast18Of20FaultsAreFound() throws Throwable {
        assertEquals(20, FAULTY.size());
        List<Outcome> outcomes = outcomes(FAULTY);
        List<String> missed = outcomes.stream()
                .filter(outcome -> !outcome.found())
                .map(Outcome::line)
                .toList();
        assertTrue(FAULTY.size() - missed.size() >= FOUND, () -> "missed: " + String.join("\n", missed));
    }

    /** The orderly stop of a node would announce the session, and so hide the fault. */
    @Test
    void aKilledNodeSaysNoGoodbye() throws Throwable {
        Sample sample = new Sample(
                EmptySession.class, "cookies that are set: ", List.of("/", "/"), Map.of("coherence", "incoherent"));
        List<String> failures = outcome(sample).failures();
        for (int again = 0; failures.isEmpty() && again < 2; again++) {
            failures = outcome(sample).failures(); // The announcement of each second came between the two requests.
        }
        assertFound(failures);
    }

    private static void assertFound(List<String> failures) {
        assertEquals(1, failures.size(), failures::toString);
        assertTrue(
                failures.get(0).startsWith("cookies that are set: expected [] as on one node, actual [JSESSIONID]"),
                failures::toString);
        assertTrue(
                failures.get(0).contains("in the run 'switching nodes and killing one', request 2"),
                failures::toString);
    }

    @Test
    void cleanApplicationsRaiseNoAlarm() throws Throwable {
        assertEquals(5, CLEAN.size());
        Stream<String> alarms = outcomes(CLEAN).stream().flatMap(outcome -> outcome.failures().stream());
        assertEquals("", String.join("\n", alarms.toList()));
    }
}
