package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * No fault in {@code /meet}, which answers two requests of a session together: the one that has the header {@code First}
 * adds its item before the other one. Fault in {@code /count}: a field of the servlet.
 */
@WebServlet("/*")
public final class CleanMeeting extends Sample {

    private static final int SECONDS = 20;

    private final CyclicBarrier both = new CyclicBarrier(2);
    private final AtomicInteger count = new AtomicInteger();

    @Override
    String page(HttpServletRequest request) throws IOException {
        if (path(request).equals("/count")) {
            return "count " + count.incrementAndGet();
        }
        List<String> items = attribute(request, "items");
        if (items == null) {
            items = new ArrayList<>();
            request.getSession().setAttribute("items", items);
        }
        if (path(request).equals("/meet")) {
            boolean first = request.getHeader("First") != null;
            meet();
            if (first) {
                items.add(parameter(request, "item"));
            }
            meet();
            if (!first) {
                items.add(parameter(request, "item"));
            }
            meet(); // Neither reads the list while the other one changes it.
        }
        return "items " + items;
    }

    private void meet() throws IOException {
        try {
            both.await(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IOException("the other request did not come", e);
        }
    }
}
