package io.understudy.museum.library;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.util.Collections;
import java.util.List;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What a library puts into the session of a request. */
final class Requests {

    /** Handles a request. */
    interface Handler {
        void handle(MockHttpServletRequest request, MockHttpServletResponse response) throws Exception;
    }

    private Requests() {}

    static MockHttpServletRequest request() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/shop/account");
        request.setScheme("https");
        request.setServerName("shop.example.org");
        request.setServerPort(443);
        request.setContextPath("/shop");
        request.setServletPath("/account");
        request.setQueryString("tab=orders");
        request.addParameter("tab", "orders");
        request.addHeader("Accept", "text/html");
        return request;
    }

    /** The attribute that a library sets when it handles a request; there has to be exactly one. */
    static Object attribute(Handler handler) throws Exception {
        MockHttpServletRequest request = request();
        handler.handle(request, new MockHttpServletResponse());
        return request.getSession().getAttribute(name(request.getSession()));
    }

    private static String name(HttpSession session) {
        List<String> names = Collections.list(session.getAttributeNames());
        if (names.size() != 1) {
            throw new AssertionError("expected one attribute, found " + names);
        }
        return names.get(0);
    }

    /** A request of a session that has a copy where the library looks for it. */
    static HttpServletRequest with(Object copy, Handler handler) throws Exception {
        MockHttpServletRequest first = request();
        handler.handle(first, new MockHttpServletResponse());
        String name = name(first.getSession());
        MockHttpServletRequest request = request();
        request.getSession().setAttribute(name, copy);
        return request;
    }
}
