package io.understudy.contract;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What sessions promise to applications: each case passes with the container's own sessions on one node, and with
 * replicated ones on one node or more, however requests are spread.
 *
 * <p>An adapter's tests extend it with their container. The system property {@code understudy.contract} has the names
 * of the topologies to run, separated by commas; without it all are run.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("topologies")
public abstract class ReplicatedSessionContract extends CoreSessionContract {

    static final String TOPOLOGIES = "understudy.contract";

    static Stream<Topology> topologies() {
        String named = System.getProperty(TOPOLOGIES, "");
        return named.isEmpty()
                ? Stream.of(Topology.values())
                : Arrays.stream(named.split(",")).map(Topology::valueOf);
    }

    @TestFactory
    Stream<DynamicTest> times() {
        return TimeCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> cookies() {
        return CookieCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> listeners() {
        return ListenerCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> bindings() {
        return BindingCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> activations() {
        return ActivationCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> dispatches() {
        return DispatchCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> responses() {
        return ResponseCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> asynchronousRequests() {
        return AsyncCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> webSockets() {
        return outsideRequests(SocketCases.all());
    }

    @TestFactory
    Stream<DynamicTest> accessors() {
        return outsideRequests(AccessorCases.all());
    }

    /** Who uses sessions outside of requests keeps their objects, which are not to be dropped between requests, then. */
    private Stream<DynamicTest> outsideRequests(Cases cases) {
        return (site().topology().dropping() ? new Cases() : cases).on(site());
    }

    @TestFactory
    Stream<DynamicTest> concurrentRequests() {
        return ConcurrencyCases.all().on(site());
    }
}
