package io.understudy.tomcat;

import io.understudy.contract.AcknowledgementContract;
import io.understudy.contract.ContractContainer;

/** On Tomcat no response is ahead of the acknowledgements. */
final class AcknowledgementIT extends AcknowledgementContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }
}
