package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebListener;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.util.concurrent.atomic.AtomicInteger;

/** Fault: users are counted where their sessions begin. */
@WebServlet("/*")
public final class SessionRegistry extends Sample {

    private static final AtomicInteger SESSIONS = new AtomicInteger();

    /** Counts. */
    @WebListener
    public static final class Counter implements HttpSessionListener {

        @Override
        public void sessionCreated(HttpSessionEvent event) {
            SESSIONS.incrementAndGet();
        }
    }

    @Override
    String page(HttpServletRequest request) {
        request.getSession().setAttribute("user", "ann");
        return SESSIONS + " users";
    }
}
