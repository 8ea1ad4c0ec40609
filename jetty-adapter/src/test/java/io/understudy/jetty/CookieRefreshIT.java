package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A session cookie with an age is set again when that is due, whichever node a request comes to, and not before. */
@Tag("container")
@Timeout(300)
final class CookieRefreshIT {

    private static final int NEVER_IN_A_TEST = 3600;
    private static final int REFRESH_SECONDS = 5;

    private static JettyCluster cluster(int refreshSeconds, String versionCookie, int eviction) {
        return JettyCluster.of(2)
                .set(Setting.VERSION_COOKIE, versionCookie)
                .set(Setting.VERSION_COOKIE_SECRET, versionCookie.isEmpty() ? "" : "a secret of some length")
                .evict(eviction)
                .on("/set", (request, response) -> request.getSession().setAttribute("a", System.nanoTime()))
                .tune(context -> {
                    context.getSessionHandler().setMaxCookieAge(2 * NEVER_IN_A_TEST);
                    context.getSessionHandler().setRefreshCookieAge(refreshSeconds);
                    return context;
                })
                .start();
    }

    private static boolean sets(HttpResponse<String> response) {
        return response.headers().allValues("Set-Cookie").stream().anyMatch(cookie -> cookie.startsWith("JSESSIONID="));
    }

    @ParameterizedTest
    @CsvSource({"'',-1", "'',0", "U,-1"})
    void aCookieThatIsNotDueIsNotSetAgain(String versionCookie, int eviction) {
        try (JettyCluster cluster = cluster(NEVER_IN_A_TEST, versionCookie, eviction)) {
            Browser browser = new Browser();
            assertTrue(sets(browser.send(cluster.node(0), "/app/set")));
            for (int i = 1; i < 6; i++) {
                assertFalse(sets(browser.send(cluster.node(i % 2), "/app/set")), "request " + i);
            }
        }
    }

    /** A node by itself would set it again, as it did so long ago, although the other has just done it. */
    @ParameterizedTest
    @CsvSource({"'',-1", "'',0", "U,-1"})
    void aCookieThatIsDueIsSetOnceForAllNodes(String versionCookie, int eviction) {
        try (JettyCluster cluster = cluster(REFRESH_SECONDS, versionCookie, eviction)) {
            int attempt = 0;
            while (!isSetOnce(cluster)) {
                attempt++;
                assertTrue(attempt < 20, "between two requests there was always more than the cookie's time");
            }
        }
    }

    /** Whether the request after that which set it came before the next was due. */
    private static boolean isSetOnce(JettyCluster cluster) {
        Browser browser = new Browser();
        long created = System.nanoTime();
        assertTrue(sets(browser.send(cluster.node(0), "/app/set")));
        AtomicInteger requests = new AtomicInteger();
        AtomicLong before = new AtomicLong();
        Await.that("the cookie is set when it is due", () -> {
            before.set(System.nanoTime());
            return sets(browser.send(cluster.node(requests.incrementAndGet() % 2), "/app/set"));
        });
        assertTrue(System.nanoTime() - created > TimeUnit.SECONDS.toNanos(REFRESH_SECONDS), "set before it is due");
        boolean again = sets(browser.send(cluster.node((requests.get() + 1) % 2), "/app/set"));
        if (System.nanoTime() - before.get() > TimeUnit.SECONDS.toNanos(REFRESH_SECONDS)) {
            return false;
        }
        assertFalse(again, "the other node sets it again");
        return true;
    }
}
