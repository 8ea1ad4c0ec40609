package io.understudy.tomcat;

import io.understudy.contract.ConcurrencyContract;
import io.understudy.contract.ContractContainer;
import org.junit.jupiter.api.Tag;

/** On Tomcat no change of requests at once is lost. */
@Tag("container")
final class ConcurrencyIT extends ConcurrencyContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }
}
