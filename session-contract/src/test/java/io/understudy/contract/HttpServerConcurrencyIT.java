package io.understudy.contract;

import org.junit.jupiter.api.Tag;

/** On the smallest adapter, many requests of one session at once. */
@Tag("container")
final class HttpServerConcurrencyIT extends ConcurrencyContract {

    @Override
    protected ContractContainer container() {
        return new HttpServerContainer();
    }
}
