package io.understudy.tomcat;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.NotReplicableContract;
import org.junit.jupiter.api.Tag;

/** On Tomcat {@code setAttribute} refuses what can't be replicated, if the application wants that. */
@Tag("container")
final class NotReplicableIT extends NotReplicableContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }
}
