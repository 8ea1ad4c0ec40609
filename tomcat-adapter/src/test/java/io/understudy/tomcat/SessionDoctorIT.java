package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import io.understudy.testkit.Forgetful;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.core.session.SessionRegistryImpl;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.session.ConcurrentSessionFilter;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;

/** The doctor needs nothing of the adapter but the end of the request. */
@Tag("container")
class SessionDoctorIT {

    @Test
    void whatARequestLeavesInItsSessionIsExaminedWhenItIsOver() throws Exception {
        Pages pages = new Pages().on("/set", (request, response) -> {
            request.getSession().setAttribute("cart", new ArrayList<>(List.of("x", new Forgetful())));
            response.getWriter().print("done");
        });
        try (LogLines log = new LogLines("io.understudy.doctor");
                TomcatNode node = TomcatNode.start(
                        LoopbackCluster.configs(1, Map.of(Setting.SESSION_DOCTOR, "log"))
                                .get(0),
                        pages)) {
            node.awaitReady();
            assertEquals("done", new Browser().get(node, "/set"));
            Await.that("it was logged", () -> !log.with().isEmpty());
            String line = log.with().get(0);
            assertTrue(line.contains(" - session doctor: attribute 'cart' ("), line);
            assertTrue(line.contains("cart[1].price: was 9.95, comes back as 9 ("), line);
            assertEquals(1, node.understudy().findings().size());
        }
    }

    /** As Spring does when it starts: with {@code maximumSessions} of Spring Security. */
    private static GenericApplicationContext spring() {
        GenericApplicationContext spring = new GenericApplicationContext();
        spring.registerBean(
                FilterChainProxy.class,
                () -> new FilterChainProxy(new DefaultSecurityFilterChain(
                        AnyRequestMatcher.INSTANCE, new ConcurrentSessionFilter(new SessionRegistryImpl()))));
        spring.refresh();
        return spring;
    }

    private static List<Kind> found(String endEvents) throws Exception {
        try (GenericApplicationContext spring = spring();
                TomcatNode node = TomcatNode.start(
                        LoopbackCluster.configs(
                                        1, Map.of(Setting.SESSION_DOCTOR, "log", Setting.END_EVENTS, endEvents))
                                .get(0),
                        new Pages().on("/login", (request, response) -> {
                            request.getServletContext().setAttribute("spring", spring);
                            request.getSession().setAttribute("user", new Forgetful());
                        }))) {
            node.awaitReady();
            new Browser().get(node, "/login");
            Await.that("it was examined", () -> !node.understudy().findings().isEmpty());
            return node.understudy().findings().stream().map(Finding::kind).toList();
        }
    }

    @Test
    void aRegistryInTheServletContextOfTheApplicationIsFoundIfEndsAreReportedOnce() throws Exception {
        assertEquals(List.of(), found("everywhere").stream().filter(Kind.LOCAL_REGISTRY::equals).toList());
        assertTrue(found("once").contains(Kind.LOCAL_REGISTRY));
    }
}
