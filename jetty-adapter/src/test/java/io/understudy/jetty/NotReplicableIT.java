package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.Setting;
import io.understudy.contract.ContractContainer;
import io.understudy.contract.NotReplicableContract;
import io.understudy.testkit.Browser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On Jetty {@code setAttribute} refuses what can't be replicated, if the application wants that. */
@Tag("container")
final class NotReplicableIT extends NotReplicableContract {

    @Override
    protected ContractContainer container() {
        return new JettyContainer();
    }

    /** A login would fail, which the application could not help. */
    @Test
    void whatJettySetsItselfIsNotRefused() {
        try (JettyCluster alone = JettyCluster.of(1)
                .set(Setting.ON_NOT_REPLICABLE, "fail")
                .on("/login", (request, response) -> {
                    Object login = new Object();
                    request.getSession().setAttribute(Logins.ATTRIBUTE, login);
                    response.getWriter().print(request.getSession().getAttribute(Logins.ATTRIBUTE) == login);
                })
                .start()) {
            assertEquals("true", new Browser().get(alone.node(0), "/app/login"));
        }
    }
}
