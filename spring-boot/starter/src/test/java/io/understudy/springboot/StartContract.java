package io.understudy.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.springboot.BootNode.Container;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How an application starts, and does not. */
abstract class StartContract {

    private final Container container;

    @TempDir
    private Path temporary;

    StartContract(Container container) {
        this.container = container;
    }

    @Test
    void anUnknownSettingFailsTheStartAndTheNearestIsNamed() throws IOException {
        assertRefused(
                container,
                List.of(
                        "unknown setting 'understudy.bind-prot' in \"understudy.bind-prot\" from property source "
                                + "\"commandLineArgs\"",
                        "did you mean 'understudy.bind-port' (bindPort)?"),
                "understudy.bind-prot=7800");
    }

    @Test
    void aMalformedValueFailsTheStartAndAValidOneIsNamed() throws IOException {
        assertRefused(
                container,
                List.of("setting 'coherence' must be one of [", "the nearest valid value is 'coherent'"),
                "understudy.coherence=coherant");
    }

    @Test
    void aSwitchThatIsNeitherOnNorOffFailsTheStart() throws IOException {
        assertRefused(container, List.of("understudy.enabled", "perhaps"), "understudy.enabled=perhaps");
    }

    @Test
    void anApplicationDeployedInAContainerIsWarned() throws IOException {
        try (BootNode node = new BootNode(Container.DEPLOYED, temporary, Map.of())) {
            assertEquals(0, node.awaitEnd(), node::output);
            assertTrue(node.output().contains("the sessions of this application are not replicated"), node::output);
        }
    }

    @Test
    void switchedOffItIsNotThere() throws IOException {
        try (BootNode node = new BootNode(
                        container, temporary, Map.of(), "understudy.enabled=false", "understudy.bind-prot=7800")
                .awaitListening()) {
            String state = new Browser().get(node, "/node");
            assertTrue(state.startsWith("no node in "), state);
            assertTrue(node.output().contains("sessions are not replicated: understudy.enabled is false"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop.slow=true", "shop.slow-runner=true"})
    void itIsReadyWhenItListensAndItsRunnersAreDone(String slow) throws IOException {
        try (BootNode node = new BootNode(
                        container,
                        temporary,
                        Map.of(),
                        slow,
                        "understudy.cluster-name=slow-"
                                + ProcessHandle.current().pid())
                .awaitListening()) {
            Browser browser = new Browser();
            Await.until(
                    Await.LIMIT, node::output, () -> browser.get(node, "/node").contains("ready true"));
        }
    }

    /** It ends with what the failure analyzers say, which has all of these messages. */
    void assertRefused(Container container, List<String> messages, String... properties) throws IOException {
        try (BootNode node = new BootNode(container, temporary, Map.of(), properties)) {
            assertEquals(1, node.awaitEnd(), node::output);
            assertTrue(node.output().contains("APPLICATION FAILED TO START"), node::output);
            for (String message : messages) {
                assertTrue(node.output().contains(message), () -> "no '" + message + "' in\n" + node.output());
            }
        }
    }
}
