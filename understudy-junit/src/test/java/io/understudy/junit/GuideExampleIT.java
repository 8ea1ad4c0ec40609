package io.understudy.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.junit.samples.CleanCart;
import io.understudy.junit.samples.SampleWar;
import java.net.CookieManager;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The examples of the guide's page about fail-over tests. */
@Tag("container")
class GuideExampleIT {

    @BeforeAll
    static void makeApplication() throws Exception {
        SampleWar.pack(CleanCart.class, Path.of("target", "shop.war"));
    }

    @FailoverTest(war = "target/shop.war")
    void theCartSurvives(FailoverServer server) throws Exception {
        HttpClient browser =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        for (String item : new String[] {"tea", "cup", "pot"}) {
            HttpResponse<String> page = browser.send(
                    HttpRequest.newBuilder(server.uri("/cart?item=" + item)).build(), BodyHandlers.ofString());
            assertEquals(200, page.statusCode());
        }
    }

    @FailoverTest(
            war = "target/shop.war",
            plans = FailoverPlan.SWITCH,
            settings = "coherence=incoherent",
            ignore = "cart.items[].id",
            ignoreInResponses = "name=\"_csrf\" value=\"[^\"]*\"")
    void theCartSurvivesWithoutCoherence(FailoverServer server) throws Exception {
        theCartSurvives(server);
    }
}
