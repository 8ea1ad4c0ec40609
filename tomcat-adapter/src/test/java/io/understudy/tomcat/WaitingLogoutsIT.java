package io.understudy.tomcat;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.WaitingLogoutsContract;
import org.junit.jupiter.api.Tag;

/** On Tomcat few logouts of one session wait for another node. */
@Tag("container")
final class WaitingLogoutsIT extends WaitingLogoutsContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }
}
