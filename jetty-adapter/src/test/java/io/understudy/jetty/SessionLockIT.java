package io.understudy.jetty;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.SessionLockContract;
import org.junit.jupiter.api.Tag;

/** On Jetty one request of a session at a time, through two nodes. */
@Tag("container")
final class SessionLockIT extends SessionLockContract {

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }
}
