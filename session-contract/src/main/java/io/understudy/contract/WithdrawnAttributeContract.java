package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.io.Serializable;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can't be replicated is absent on other nodes, and travels as soon as it can be, at default settings. */
public abstract class WithdrawnAttributeContract {

    /** Not serializable. */
    private static final class Connection {}

    /** Who is logged in; other logins hold more. */
    private static class Login implements Serializable {

        private static final long serialVersionUID = 1L;

        private final String user;

        Login(String user) {
            this.user = user;
        }
    }

    /** Holds something that is not serializable. */
    private static final class TokenLogin extends Login {

        private static final long serialVersionUID = 1L;

        @SuppressWarnings({"serial", "UnusedVariable"}) // That is its fault.
        private final Connection token = new Connection();

        TokenLogin(String user) {
            super(user);
        }
    }

    /** A bean of the application. In one of its steps it holds an object that is not serializable. */
    private static final class Wizard implements Serializable {

        private static final long serialVersionUID = 1L;

        @SuppressWarnings("serial")
        private @Nullable Object upload;

        private int step;
    }

    private final Tasks tasks = new Tasks();
    private final Browser browser = new Browser();
    private @Nullable Servers servers;

    protected abstract ContractContainer container();

    @BeforeEach
    void start() throws Exception {
        servers = new Servers(container(), tasks, 2, Map.of());
    }

    @AfterEach
    void close() {
        if (servers != null) {
            servers.close();
        }
    }

    private <T> T ask(int node, Task.Question<T> question) {
        assertNotNull(servers);
        return servers.ask(browser, node, question);
    }

    private String login(int node) {
        return ask(node, request -> {
            HttpSession session = request.getSession(false);
            Login login = (Login) session.getAttribute("login");
            return session.getAttribute("cart") + " of " + (login == null ? "nobody" : login.user);
        });
    }

    @Test
    void noNodeShowsTheLoginOfBefore() {
        assertEquals("begun", ask(0, request -> {
            request.getSession().setAttribute("cart", "tea");
            request.getSession().setAttribute("login", new Login("ada"));
            return "begun";
        }));
        assertEquals("tea of ada", login(1));
        assertNotNull(ask(0, request -> {
            request.getSession().setAttribute("login", new TokenLogin("bob"));
            return request.changeSessionId();
        }));
        assertEquals("tea of bob", login(0));
        assertEquals("tea of nobody", login(1));
        assertNotNull(servers);
        servers.stop(0);
        assertEquals("tea of nobody", login(1));
    }

    private static Wizard wizard(HttpServletRequest request) {
        return (Wizard) request.getSession(false).getAttribute("wizard");
    }

    @Test
    void aBeanThatIsRepairedInPlaceArrives() {
        assertEquals("begun", ask(0, request -> {
            Wizard wizard = new Wizard();
            wizard.upload = new Connection();
            request.getSession().setAttribute("wizard", wizard);
            return "begun";
        }));
        assertEquals("absent", ask(1, request -> wizard(request) == null ? "absent" : "there"));
        assertEquals("repaired", ask(0, request -> {
            Wizard wizard = wizard(request);
            wizard.upload = null;
            wizard.step = 2;
            return "repaired";
        }));
        assertEquals("step 2", ask(1, request -> "step " + wizard(request).step));
    }
}
