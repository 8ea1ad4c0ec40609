package io.understudy.jetty;

import io.understudy.contract.AcknowledgementContract;
import io.understudy.contract.ContractContainer;

/** On Jetty no response is ahead of the acknowledgements. */
final class AcknowledgementIT extends AcknowledgementContract {

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }
}
