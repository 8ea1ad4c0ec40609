package io.understudy.tomcat;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.ReplicatedSessionContract;
import org.junit.jupiter.api.Tag;

/** On Tomcat sessions do what they promise on every container. */
@Tag("container")
final class ReplicatedSessionContractIT extends ReplicatedSessionContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }
}
