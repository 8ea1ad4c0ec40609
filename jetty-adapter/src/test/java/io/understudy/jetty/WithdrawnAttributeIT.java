package io.understudy.jetty;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.WithdrawnAttributeContract;
import org.junit.jupiter.api.Tag;

/** On Jetty no other node shows the old value of an attribute that can't be replicated any more. */
@Tag("container")
final class WithdrawnAttributeIT extends WithdrawnAttributeContract {

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }
}
