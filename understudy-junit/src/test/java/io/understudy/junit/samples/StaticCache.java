package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Fault: a page is kept in a static cache, and not made anew where it is missing. */
@WebServlet("/*")
public final class StaticCache extends Sample {

    private static final Map<String, String> PAGES = new ConcurrentHashMap<>();

    @Override
    String page(HttpServletRequest request) {
        String user = attribute(request, "user");
        if (user == null) {
            user = parameter(request, "user");
            request.getSession().setAttribute("user", user);
            PAGES.put(user, "the page of " + user);
        }
        return PAGES.getOrDefault(user, "an empty page");
    }
}
