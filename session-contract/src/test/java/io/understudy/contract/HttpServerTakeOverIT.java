package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Browser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With the smallest adapter another node has the sessions of a node that was killed. */
@Tag("container")
final class HttpServerTakeOverIT {

    @Test
    void anotherNodeHasTheChangesOfAKilledOne() throws Exception {
        Tasks tasks = new Tasks();
        try (Servers servers = new Servers(new HttpServerContainer(), tasks, 2, Map.of())) {
            Browser browser = new Browser();
            servers.ask(browser, 0, request -> {
                request.getSession().setAttribute("cart", new ArrayList<>(List.of("tea")));
                return true;
            });
            servers.ask(
                    browser,
                    0,
                    request ->
                            cart(request.getSession(false).getAttribute("cart")).add("cup"));
            servers.cluster().kill(0);
            assertEquals(
                    List.of("tea", "cup"),
                    servers.ask(
                            browser,
                            1,
                            request ->
                                    List.copyOf(cart(request.getSession(false).getAttribute("cart")))));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> cart(Object attribute) {
        return (List<String>) attribute;
    }
}
