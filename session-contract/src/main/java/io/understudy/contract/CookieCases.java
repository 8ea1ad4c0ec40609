package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;

/** How clients are told their session's id: by cookie, or in URLs. Jakarta Servlet 6.0, section 7.1. */
final class CookieCases {

    private static final String COOKIE = "JSESSIONID";

    private CookieCases() {}

    private static List<String> cookies(HttpResponse<String> response) {
        return response.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith(COOKIE + "="))
                .toList();
    }

    /** The value that names the session, as cookies and URLs have it: some containers add the node's name. */
    private static String inUrl(Client client) {
        return ";jsessionid=" + client.sessionId();
    }

    static Cases all() {
        return new Cases()
                .add("the response that begins a session sets its cookie, for the application alone", visit -> {
                    HttpResponse<String> response = visit.client().send((request, answer) -> request.getSession());
                    assertEquals(1, cookies(response).size());
                    assertTrue(
                            cookies(response).get(0).contains("Path=" + Application.PATH), cookies(response)::toString);
                })
                .add("no script reads the cookie, if the application says so", visit -> {
                    HttpResponse<String> response = visit.client().send((request, answer) -> request.getSession());
                    String cookie = cookies(response).get(0).toLowerCase(Locale.ROOT);
                    assertTrue(cookie.contains("httponly"), cookie);
                })
                .add("it is set once", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    for (int i = 0; i < 4; i++) {
                        assertEquals(List.of(), cookies(client.send((request, response) -> request.getSession())));
                    }
                })
                .add("it is set once although it is asked for again", visit -> {
                    HttpResponse<String> response = visit.client().send((request, answer) -> {
                        request.getSession();
                        request.getSession(true);
                        request.getSession(false);
                    });
                    assertEquals(1, cookies(response).size());
                })
                .add("a request without a session sets none", visit -> {
                    assertEquals(
                            List.of(), cookies(visit.client().send((request, response) -> request.getSession(false))));
                })
                .add("a new id is in the cookie", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    String old = client.sessionId();
                    HttpResponse<String> response = client.send((request, answer) -> request.changeSessionId());
                    assertEquals(1, cookies(response).size());
                    assertNotEquals(old, client.sessionId());
                })
                .add("the request knows that the id came by cookie", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    assertTrue(client.holds(HttpServletRequest::isRequestedSessionIdFromCookie));
                    assertFalse(client.holds(HttpServletRequest::isRequestedSessionIdFromURL));
                })
                .add("URLs are left alone for who sent a cookie", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    HttpResponse<String> response =
                            client.send((request, answer) -> answer.getWriter().print(answer.encodeURL("/app/page")));
                    assertEquals("/app/page", response.body());
                })
                .add("URLs name the session for who sent none", visit -> {
                    Client client = visit.client();
                    HttpResponse<String> response = client.send((request, answer) -> {
                        request.getSession();
                        answer.getWriter().print(answer.encodeURL("/app/page"));
                    });
                    assertEquals("/app/page" + inUrl(client), response.body());
                })
                .add("redirects name it, too", visit -> {
                    Client client = visit.client();
                    HttpResponse<String> response = client.send((request, answer) -> {
                        request.getSession();
                        answer.sendRedirect(answer.encodeRedirectURL("/app/page"));
                    });
                    String location = response.headers().firstValue("Location").orElse("none");
                    assertTrue(location.endsWith("/app/page" + inUrl(client)), location);
                })
                .add("a session is found by URL", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession().setAttribute("name", "ann"));
                    Client other = visit.client();
                    String page = visit.page((request, response) -> response.getWriter()
                            .print(request.getSession(false).getAttribute("name") + " "
                                    + request.isRequestedSessionIdFromURL()));
                    for (int i = 0; i < 2; i++) {
                        assertEquals("ann true", other.get(page + inUrl(client)).body());
                    }
                })
                .add("by URL a wrong id finds nothing", visit -> {
                    String page = visit.page(
                            (request, response) -> response.getWriter().print(request.getSession(false)));
                    assertEquals(
                            "null",
                            visit.client().get(page + ";jsessionid=0123456789").body());
                })
                .add("of an ended session's client the next request gets a new cookie", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession());
                    client.run((request, response) -> request.getSession(false).invalidate());
                    assertEquals(
                            1,
                            cookies(client.send((request, response) -> request.getSession()))
                                    .size());
                });
    }
}
