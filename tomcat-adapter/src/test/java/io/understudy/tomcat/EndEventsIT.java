package io.understudy.tomcat;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.EndEventsContract;
import org.junit.jupiter.api.Tag;

/** With {@code endEvents = everywhere} several Tomcat nodes call their listeners when a session ends. */
@Tag("container")
final class EndEventsIT extends EndEventsContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }
}
