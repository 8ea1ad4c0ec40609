package io.understudy.jetty;

import io.understudy.contract.AcknowledgementContract;
import io.understudy.contract.ContractContainer;
import org.junit.jupiter.api.Tag;

/** On Jetty no response is ahead of the acknowledgements. */
@Tag("container")
final class AcknowledgementIT extends AcknowledgementContract {

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }
}
