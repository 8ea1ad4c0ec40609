package io.understudy.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectIteration;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.understudy.junit.samples.CleanCart;
import io.understudy.junit.samples.DroppingSerialization;
import io.understudy.junit.samples.SampleWar;
import io.understudy.junit.samples.ServletField;
import io.understudy.junit.servers.Application;
import io.understudy.junit.sites.StartingCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests with the annotation, as JUnit runs them: those that have to fail, too. */
@Tag("container")
class FailoverTestIT {

    private static final String WAR = "target/samples/CleanCart.war";

    private static final String VERDICT = "verdict, after one node again: ";

    /** A directory without classes. */
    private static final String WEB = "target/samples/web";

    @BeforeAll
    static void makeApplications() throws Exception {
        SampleWar.of(ServletField.class);
        SampleWar.of(DroppingSerialization.class);
        SampleWar.of(CleanCart.class);
        SampleWar.pack(CleanCart.class, Path.of(WAR));
        Files.createDirectories(Path.of(WEB));
    }

    @FailoverTest(war = WAR, contextPath = "/shop", settings = "coherence=incoherent")
    void theCartSurvives(FailoverServer server) throws Exception {
        Visitor visitor = new Visitor(server);
        assertEquals("[tea] 1 1", visitor.visit("/?item=tea").body().strip());
        assertEquals("[tea, cup] 1 2", visitor.visit("/?item=cup").body().strip());
        assertEquals("[tea, cup, tea] 2 3", visitor.visit("/?item=tea").body().strip());
    }

    @FailoverTest(war = WEB, classes = "target/samples/CleanCart/WEB-INF/classes", plans = FailoverPlan.KILL)
    void classesCanBeElsewhere(FailoverServer server) throws Exception {
        Visitor visitor = new Visitor(server);
        assertEquals("[tea] 1 1", visitor.visit("/?item=tea").body().strip());
        assertEquals("[tea, cup] 1 2", visitor.visit("/?item=cup").body().strip());
    }

    static final class Failing {

        @FailoverTest(
                war = "target/samples/ServletField",
                plans = {FailoverPlan.SWITCH, FailoverPlan.KILL})
        void asItExpectsTheCart(FailoverServer server) throws Exception {
            Visitor visitor = new Visitor(server);
            visitor.visit("/?item=tea");
            assertEquals("tea cup", visitor.visit("/?item=cup").body().strip());
        }

        @FailoverTest(war = "target/samples/DroppingSerialization", plans = FailoverPlan.SWITCH)
        void althoughItExpectsNothing(FailoverServer server) throws Exception {
            Visitor visitor = new Visitor(server);
            visitor.visit("/");
            visitor.visit("/");
        }

        @FailoverTest(
                war = "target/samples/DroppingSerialization",
                plans = FailoverPlan.SWITCH,
                ignore = {"cart.discount", "cart.total"})
        void onlyByItsPages(FailoverServer server) throws Exception {
            Visitor visitor = new Visitor(server);
            visitor.visit("/");
            visitor.visit("/");
        }

        @FailoverTest(war = "target/samples/ServletField")
        void onOneNodeAlready(FailoverServer server) throws Exception {
            assertEquals("cup", new Visitor(server).visit("/?item=tea").body().strip());
        }
    }

    static final class Wrong {

        @FailoverTest(war = "target/samples/nothing.war")
        void thatIsNotThere(FailoverServer server) {}

        @FailoverTest(war = WAR, ignoreInResponses = "token [")
        void withoutAPattern(FailoverServer server) {}

        @FailoverTest
        void withoutAnApplication(FailoverServer server) {}
    }

    private static TestExecutionSummary run(Class<?> tests) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(tests))
                                .build(),
                        summary);
        return summary.getSummary();
    }

    private static List<String> messages(TestExecutionSummary summary, String test) {
        return summary.getFailures().stream()
                .filter(failure -> failure.getTestIdentifier().getUniqueId().contains(test))
                .map(failure -> failure.getTestIdentifier().getDisplayName() + ": "
                        + failure.getException().getMessage())
                .toList();
    }

    @Test
    void faultsFailTheVerdict() {
        TestExecutionSummary summary = run(Failing.class);
        List<String> asserted = messages(summary, "asItExpectsTheCart");
        assertEquals(3, asserted.size(), asserted::toString);
        assertTrue(asserted.get(0).startsWith("switching nodes: expected: <tea cup>"), asserted::toString);
        assertTrue(asserted.get(1).startsWith("killing a node: expected: <tea cup>"), asserted::toString);
        assertTrue(asserted.get(2).startsWith(VERDICT + "body: expected 'tea cup"), asserted::toString);
        assertTrue(
                asserted.get(2).contains("in the run 'switching nodes', request 2, GET /?item=cup, answered by node"),
                asserted::toString);
        assertTrue(asserted.get(2).contains("the test itself failed: "), asserted::toString);

        List<String> compared = messages(summary, "althoughItExpectsNothing");
        assertEquals(1, compared.size(), compared::toString);
        assertTrue(
                compared.get(0)
                        .startsWith(VERDICT + "attribute cart.discount after it, as the next node has it: "
                                + "expected 10 as on one node, actual 0"),
                compared::toString);
        assertTrue(compared.get(0).contains("request 1, GET /, "), compared::toString);
        assertTrue(compared.get(0).contains("session doctor: attribute 'cart'"), compared::toString);

        List<String> pages = messages(summary, "onlyByItsPages");
        assertEquals(1, pages.size(), pages::toString);
        assertTrue(pages.get(0).startsWith(VERDICT + "body: expected 'total 190"), pages::toString);
    }

    @Test
    void withoutAReferenceThereIsNothingToCompare() {
        TestExecutionSummary summary = run(Failing.class);
        List<String> failed = messages(summary, "onOneNodeAlready");
        assertEquals(1, failed.size(), failed::toString);
        assertTrue(failed.get(0).startsWith("one node: "), failed::toString);
        assertEquals(1, summary.getTestsAbortedCount());
    }

    @Test
    void nodesAreFreeIfJUnitRunsOnlyTheFirstRun() {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectIteration(
                                        selectMethod(
                                                Failing.class,
                                                "althoughItExpectsNothing",
                                                FailoverServer.class.getName()),
                                        0))
                                .build(),
                        summary);
        assertEquals(1, summary.getSummary().getTestsSucceededCount());
        Application application = Application.ofWar(WAR, List.of(), "");
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> new StartingCluster(application, Map.of()).await().close(),
                "the nodes are taken, although the test is over: each later one would wait for ever");
    }

    @Test
    void aMissingApplicationIsNamed() {
        TestExecutionSummary summary = run(Wrong.class);
        List<String> missing = messages(summary, "thatIsNotThere");
        assertEquals(1, missing.size(), missing::toString);
        assertTrue(
                missing.get(0).contains("'war' of @FailoverTest is 'target/samples/nothing.war'"), missing::toString);
        List<String> unclosed = messages(summary, "withoutAPattern");
        assertEquals(1, unclosed.size(), unclosed::toString);
        assertTrue(unclosed.get(0).contains("'ignoreInResponses' of @FailoverTest has 'token ['"), unclosed::toString);
        List<String> none = messages(summary, "withoutAnApplication");
        assertEquals(1, none.size(), none::toString);
        assertTrue(none.get(0).contains("neither 'war' nor 'application'"), none::toString);
    }
}
