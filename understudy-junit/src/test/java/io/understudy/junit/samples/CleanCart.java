package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** No fault: changes its objects in place, without setAttribute. */
@WebServlet("/*")
public final class CleanCart extends Sample {

    static final class Cart implements Serializable {
        private final List<String> items = new ArrayList<>();
        private final Map<String, Integer> counts = new HashMap<>();
        private int changes;
    }

    @Override
    String page(HttpServletRequest request) {
        Cart cart = attribute(request, "cart");
        if (cart == null) {
            cart = new Cart();
            request.getSession().setAttribute("cart", cart);
        }
        String item = parameter(request, "item");
        cart.items.add(item);
        cart.counts.merge(item, 1, Integer::sum);
        cart.changes++;
        return cart.items + " " + cart.counts.get(item) + " " + cart.changes;
    }
}
