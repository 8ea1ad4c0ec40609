package io.understudy.tomcat;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.EndEventsContract;
import org.junit.jupiter.api.Tag;

/** On Tomcat listeners of several nodes are told of the end of a session, if the application wants that. */
@Tag("container")
final class EndEventsIT extends EndEventsContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }
}
