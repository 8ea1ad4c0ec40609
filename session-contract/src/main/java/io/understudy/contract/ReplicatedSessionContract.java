package io.understudy.contract;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
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
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ReplicatedSessionContract {

    static final String TOPOLOGIES = "understudy.contract";

    @Parameter
    @Nullable
    Topology topology;

    private @Nullable Site site;

    protected abstract ContractContainer container();

    static Stream<Topology> topologies() {
        String named = System.getProperty(TOPOLOGIES, "");
        return named.isEmpty()
                ? Stream.of(Topology.values())
                : Arrays.stream(named.split(",")).map(Topology::valueOf);
    }

    @BeforeParameterizedClassInvocation
    void open() throws Exception {
        site = Site.open(container(), Objects.requireNonNull(topology));
    }

    @AfterParameterizedClassInvocation
    void close() {
        site().close();
    }

    private Site site() {
        return Objects.requireNonNull(site, "not open");
    }

    @TestFactory
    Stream<DynamicTest> beginnings() {
        return BeginningCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> attributes() {
        return AttributeCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> values() {
        return ValueCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> changesInPlace() {
        return InPlaceCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> times() {
        return TimeCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> ends() {
        return EndCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> expiry() {
        return ExpiryCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> ids() {
        return IdCases.all().on(site());
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
