package io.understudy.contract;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/**
 * What every container with replicated sessions does, also a container without servlets: sessions begin, change, get
 * another id and end.
 *
 * <p>A test extends it with a container, and with the topologies to run as a parameterized class.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class CoreSessionContract {

    @Parameter
    @Nullable
    Topology topology;

    private @Nullable Site site;

    protected abstract ContractContainer container();

    @BeforeParameterizedClassInvocation
    void open() throws Exception {
        site = Site.open(container(), Objects.requireNonNull(topology));
    }

    @AfterParameterizedClassInvocation
    void close() {
        site().close();
    }

    final Site site() {
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
    Stream<DynamicTest> ends() {
        return EndCases.all().on(site());
    }

    @TestFactory
    Stream<DynamicTest> expiry() {
        return ExpiryCases.all().together(site());
    }

    @TestFactory
    Stream<DynamicTest> ids() {
        return IdCases.all().on(site());
    }
}
