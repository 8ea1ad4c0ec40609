package io.understudy.jetty;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.FailingAttributeContract;
import org.junit.jupiter.api.Tag;

/** On Jetty a request is answered although the class of an attribute fails. */
@Tag("container")
final class FailingAttributeIT extends FailingAttributeContract {

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }
}
