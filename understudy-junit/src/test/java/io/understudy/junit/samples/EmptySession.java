package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;

/** Fault: relies on sessions without attributes, which an incoherent node announces later. */
@WebServlet("/*")
public final class EmptySession extends Sample {

    @Override
    String page(HttpServletRequest request) {
        return request.getSession().isNew() ? "new" : "known";
    }
}
