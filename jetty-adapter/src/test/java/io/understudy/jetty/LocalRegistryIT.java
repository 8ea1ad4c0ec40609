package io.understudy.jetty;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.LocalRegistryContract;
import org.junit.jupiter.api.Tag;

/** The session doctor looks into the servlet context of Jetty's application. */
@Tag("container")
final class LocalRegistryIT extends LocalRegistryContract {

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }
}
