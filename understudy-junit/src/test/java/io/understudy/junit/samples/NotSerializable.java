package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;

/** Fault: the cart is not Serializable. */
@WebServlet("/*")
public final class NotSerializable extends Sample {

    static final class Cart {
        private final List<String> items = new ArrayList<>();
    }

    @Override
    String page(HttpServletRequest request) {
        Cart cart = attribute(request, "cart");
        if (cart == null) {
            cart = new Cart();
            request.getSession().setAttribute("cart", cart);
        }
        cart.items.add(parameter(request, "item"));
        return String.join(" ", cart.items);
    }
}
