package io.understudy.jetty;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.WaitingLogoutsContract;
import org.junit.jupiter.api.Tag;

/** On Jetty few logouts of one session wait for another node. */
@Tag("container")
final class WaitingLogoutsIT extends WaitingLogoutsContract {

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }
}
