package io.understudy.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.junit.FailoverServer;
import io.understudy.junit.FailoverTest;
import io.understudy.springboot.shop.Shop;
import java.net.CookieManager;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Tag;

/** The shop in the JVM of its test, on nodes with class loaders of their own. */
@Tag("container")
class FailoverTestOfBoot3IT {

    private final HttpClient browser =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    @FailoverTest(application = Shop.class)
    void theCartSurvives(FailoverServer server) throws Exception {
        assertEquals("tea", get(server, "/add?item=tea"));
        assertEquals("tea,cup", get(server, "/add?item=cup"));
        assertEquals("tea,cup,pot", get(server, "/add?item=pot"));
        assertEquals("tea,cup,pot", get(server, "/cart"));
    }

    private String get(FailoverServer server, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.uri(path)).build();
        return browser.send(request, BodyHandlers.ofString()).body();
    }
}
