package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Fault: each node counts orders by itself, so that two have one number. */
@WebServlet("/*")
public final class SequenceNumber extends Sample {

    private static final AtomicInteger ORDERS = new AtomicInteger();

    @Override
    String page(HttpServletRequest request) {
        List<Integer> orders = attribute(request, "orders");
        if (orders == null) {
            orders = new ArrayList<>();
            request.getSession().setAttribute("orders", orders);
        }
        orders.add(ORDERS.incrementAndGet());
        return "orders " + orders;
    }
}
