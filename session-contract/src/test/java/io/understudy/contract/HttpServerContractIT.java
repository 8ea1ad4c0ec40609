package io.understudy.contract;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** On the smallest adapter sessions do what they promise on every container. */
@Tag("container")
@ParameterizedClass(name = "{0}")
@MethodSource("possible")
final class HttpServerContractIT extends CoreSessionContract {

    @Override
    protected ContractContainer container() {
        return new HttpServerContainer();
    }

    /** The server has no sessions of its own, keeps session objects, and has no HTTP/2. Its barrier is always tested. */
    static Stream<Topology> possible() {
        Stream<Topology> named = ReplicatedSessionContract.topologies().filter(each -> switch (each) {
            case LOCAL, DROPPED, HTTP2 -> false;
            case ONE_NODE, STICKY, ALTERNATING, LATE, VERSIONED -> true;
        });
        return Stream.concat(named, Stream.of(Topology.LATE)).distinct();
    }
}
