package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Browser;
import io.understudy.testkit.LoopbackCluster;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import org.apache.tomcat.util.http.Rfc6265CookieProcessor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cookie with a session's version, beside that with its id. */
@Tag("container")
class VersionCookieIT {

    /** As Spring Boot gives the attribute, which knows the session's cookie by its name. */
    private static final class OfTheSession extends Rfc6265CookieProcessor {

        @Override
        public String generateHeader(Cookie cookie, HttpServletRequest request) {
            String header = super.generateHeader(cookie, request);
            return cookie.getName().equals("JSESSIONID") ? header + "; SameSite=None" : header;
        }
    }

    @Test
    void browsersSendItWhereTheySendThatOfTheSession() {
        Map<Setting, String> settings = Map.of(
                Setting.VERSION_COOKIE, "UNDERSTUDY",
                Setting.VERSION_COOKIE_SECRET, "0123456789abcdef",
                Setting.COHERENCE, "incoherent");
        Pages pages = new Pages()
                .on("/set", (request, response) -> request.getSession().setAttribute("set", true));
        try (TomcatNode node =
                TomcatNode.start(LoopbackCluster.configs(1, settings).get(0), pages)) {
            node.awaitReady();
            node.manager().getContext().setCookieProcessor(new OfTheSession());
            List<String> cookies = new Browser().send(node, "/set").headers().allValues("Set-Cookie");
            assertEquals(2, cookies.size(), cookies::toString);
            assertTrue(cookies.stream().allMatch(cookie -> cookie.contains("; SameSite=None")), cookies::toString);
        }
    }
}
