package io.understudy.jetty;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.ReplicatedSessionContract;
import org.junit.jupiter.api.Tag;

/** On Jetty sessions do what they promise on every container. */
@Tag("container")
final class ReplicatedSessionContractIT extends ReplicatedSessionContract {

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }
}
