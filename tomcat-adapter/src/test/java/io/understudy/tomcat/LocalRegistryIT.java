package io.understudy.tomcat;

import io.understudy.contract.ContractContainer;
import io.understudy.contract.LocalRegistryContract;
import org.junit.jupiter.api.Tag;

/** The session doctor looks into the servlet context of Tomcat's application. */
@Tag("container")
final class LocalRegistryIT extends LocalRegistryContract {

    @Override
    protected ContractContainer container() {
        return new TomcatContainer();
    }
}
