package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Fault: the items of the cart are transient, and nobody makes them anew. */
@WebServlet("/*")
public final class TransientField extends Sample {

    static final class Cart implements Serializable {
        private final transient List<String> items = new ArrayList<>();
    }

    @Override
    String page(HttpServletRequest request) {
        Cart cart = attribute(request, "cart");
        if (cart == null) {
            cart = new Cart();
            request.getSession().setAttribute("cart", cart);
        }
        cart.items.add(parameter(request, "item"));
        return cart.items.size() + " items";
    }
}
