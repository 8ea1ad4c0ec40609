package io.understudy.tomcat;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.SessionLockContract;
import org.junit.jupiter.api.Tag;

/** On Tomcat one request of a session at a time, through two nodes. */
@Tag("container")
final class SessionLockIT extends SessionLockContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }
}
