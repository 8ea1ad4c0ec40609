package io.understudy.contract;

import org.junit.jupiter.api.Tag;

/** On the smallest adapter one request of a session at a time, through two nodes. */
@Tag("container")
final class HttpServerLockIT extends SessionLockContract {

    @Override
    protected ContractContainer container() {
        return new HttpServerContainer();
    }

    @Override
    protected boolean dispatches() {
        return false;
    }
}
