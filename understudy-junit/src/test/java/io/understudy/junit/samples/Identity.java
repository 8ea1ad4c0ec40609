package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;

/** Fault: a constant is told by its identity, which is another one after serialization. */
@WebServlet("/*")
public final class Identity extends Sample {

    static final class Role implements Serializable {
        static final Role GUEST = new Role("guest");

        private final String name;

        Role(String name) {
            this.name = name;
        }
    }

    @Override
    String page(HttpServletRequest request) {
        Role role = attribute(request, "role");
        if (role == null) {
            request.getSession().setAttribute("role", Role.GUEST);
            return "welcome, " + Role.GUEST.name;
        }
        return role == Role.GUEST ? "please log in" : "all your orders";
    }
}
