package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;

/** No fault: gives the session a new id at the login, and ends it at the logout. */
@WebServlet("/*")
public final class CleanLogin extends Sample {

    @Override
    String page(HttpServletRequest request) {
        switch (path(request)) {
            case "/login" -> {
                request.getSession();
                String id = request.changeSessionId();
                request.getSession().setAttribute("user", parameter(request, "user"));
                return id.isEmpty() ? "no id" : "welcome";
            }
            case "/logout" -> {
                request.getSession().invalidate();
                return "good bye";
            }
            default -> {
                HttpSession session = request.getSession(false);
                return session == null ? "nobody" : "the page of " + session.getAttribute("user");
            }
        }
    }
}
