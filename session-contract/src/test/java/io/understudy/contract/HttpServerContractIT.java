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

    /**
     * The server has no sessions of its own, keeps session objects, and has no HTTP/2. Where frames are late all is asked
     * that is asked of alternating nodes, and the barrier has something to wait for.
     */
    static Stream<Topology> possible() {
        return ReplicatedSessionContract.topologies()
                .filter(each -> switch (each) {
                    case LOCAL, DROPPED, HTTP2 -> false;
                    case ONE_NODE, STICKY, ALTERNATING, LATE, VERSIONED -> true;
                })
                .map(each -> each == Topology.ALTERNATING ? Topology.LATE : each)
                .distinct();
    }
}
