package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;

/** Fault: readResolve gives a new object in place of the one that was read. */
@WebServlet("/*")
public final class ResolvedAnew extends Sample {

    static final class Preferences implements Serializable {
        private String language = "en";

        private Object readResolve() {
            return new Preferences();
        }
    }

    @Override
    String page(HttpServletRequest request) {
        Preferences preferences = attribute(request, "preferences");
        if (preferences == null) {
            preferences = new Preferences();
            preferences.language = parameter(request, "language");
            request.getSession().setAttribute("preferences", preferences);
        }
        return "the page in " + preferences.language;
    }
}
