package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.UUID;

/** No fault: ids, times and tokens are other ones each time. */
@WebServlet("/*")
public final class CleanIds extends Sample {

    @SuppressWarnings("JavaUtilDate") // Applications have them.
    static final class Order implements Serializable {
        private final UUID id = UUID.randomUUID();
        private final Instant ordered = Instant.now();
        private final Date due = new Date();
        private final long millis = System.currentTimeMillis();
    }

    @Override
    String page(HttpServletRequest request) {
        List<Order> orders = attribute(request, "orders");
        if (orders == null) {
            orders = new ArrayList<>();
            request.getSession().setAttribute("orders", orders);
        }
        Order order = new Order();
        orders.add(order);
        return "order " + orders.size() + " has the id " + order.id + ", was made at " + order.ordered + ", is due at "
                + order.due + ", " + order.millis + " ms, token " + UUID.randomUUID();
    }
}
