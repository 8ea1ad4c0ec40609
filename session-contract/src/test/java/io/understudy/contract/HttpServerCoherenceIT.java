package io.understudy.contract;

import org.junit.jupiter.api.Tag;

/** Which responses of the smallest adapter are degraded, on a node that is alone. */
@Tag("container")
final class HttpServerCoherenceIT extends CoherenceContract {

    @Override
    protected ContractContainer container() {
        return new HttpServerContainer();
    }
}
