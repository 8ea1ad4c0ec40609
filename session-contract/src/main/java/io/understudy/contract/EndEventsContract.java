package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import jakarta.servlet.http.HttpSession;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Each node on which a request used a session calls its listeners when it ends: {@code endEvents = everywhere}. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EndEventsContract {

    private final Tasks tasks = new Tasks();
    private @Nullable Servers servers;

    protected abstract ContractContainer container();

    @BeforeAll
    void start() throws Exception {
        servers = new Servers(container(), tasks, 2, Map.of(Setting.END_EVENTS, "everywhere"));
    }

    @AfterAll
    void close() {
        started().close();
    }

    private Servers started() {
        return Objects.requireNonNull(servers);
    }

    /** A session with two attributes. */
    private String begin(Browser browser, int node) {
        return started().ask(browser, node, request -> {
            HttpSession session = request.getSession();
            session.setAttribute("last", "cart");
            session.setAttribute("bound", new Bound("b"));
            return session.getId();
        });
    }

    private String read(Browser browser, int node) {
        return started()
                .ask(
                        browser,
                        node,
                        request -> String.valueOf(request.getSession().getAttribute("last")));
    }

    private void logout(Browser browser, int node) {
        boolean unused = started().ask(browser, node, request -> {
            request.getSession(false).invalidate();
            return true;
        });
    }

    private long followed(int node) {
        return started().cluster().node(node).metrics().value(Counter.ENDS_FOLLOWED);
    }

    /** By both nodes: with the attributes, and who is second knows that. */
    private void awaitBoth(String id) {
        List<String> last = List.of("destroyed cart", "unbound b", "destroyed cart elsewhere", "unbound b");
        Await.until(Await.LIMIT, () -> Events.of(id), () -> ends(id).size() >= last.size());
        assertEquals(last, ends(id));
    }

    private static List<String> ends(String id) {
        return Events.of(id).stream()
                .filter(event -> event.startsWith("destroyed") || event.startsWith("unbound"))
                .toList();
    }

    @Test
    void aLogoutOnAnotherNodeIsTold() {
        for (int node : new int[] {0, 1}) {
            Browser browser = new Browser();
            String id = begin(browser, node);
            assertEquals("cart", read(browser, 1 - node));
            logout(browser, node);
            awaitBoth(id);
        }
    }

    @Test
    void aLogoutOnTheSecondNodeIsToldOnTheFirst() {
        Browser browser = new Browser();
        String id = begin(browser, 0);
        logout(browser, 1);
        awaitBoth(id);
    }

    @Test
    void nobodyIsToldWhereNoRequestUsedTheSession() {
        Browser browser = new Browser();
        long before = followed(1);
        String id = begin(browser, 0);
        logout(browser, 0); // Acknowledged, so the other node knows.
        assertEquals(before, followed(1));
        assertEquals(List.of("destroyed cart"), Events.of(id, "destroyed"));
    }

    @Test
    void anExpiryIsTold() {
        Browser browser = new Browser();
        String id = begin(browser, 0);
        boolean unused = started().ask(browser, 1, request -> {
            request.getSession().setMaxInactiveInterval(1);
            return true;
        });
        awaitBoth(id);
    }

    @Test
    void aChangedIdIsNoEnd() {
        Browser browser = new Browser();
        String first = begin(browser, 0);
        String second = started().ask(browser, 1, request -> request.changeSessionId());
        assertEquals("cart", read(browser, 0));
        assertEquals(List.of(), Events.of(first, "destroyed"));
        logout(browser, 0);
        awaitBoth(second);
    }
}
