package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;

/** Fault: the object in the session is of an inner class, and takes a copy of the servlet with it, which was never started. */
@WebServlet("/*")
public final class InnerClass extends Sample {

    final class Greeting implements Serializable {
        private final String user;

        Greeting(String user) {
            this.user = user;
        }

        String text() {
            return getServletName() + " welcomes " + user;
        }
    }

    @Override
    String page(HttpServletRequest request) {
        Greeting greeting = attribute(request, "greeting");
        if (greeting == null) {
            greeting = new Greeting(parameter(request, "user"));
            request.getSession().setAttribute("greeting", greeting);
        }
        return greeting.text();
    }
}
