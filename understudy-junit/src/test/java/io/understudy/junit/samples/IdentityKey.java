package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/** Fault: the keys of a map have no equals. */
@WebServlet("/*")
public final class IdentityKey extends Sample {

    static final class Product implements Serializable {
        static final Product TEA = new Product();

        private final String name = "tea";
    }

    @Override
    String page(HttpServletRequest request) {
        Map<Product, Integer> cart = attribute(request, "cart");
        if (cart == null) {
            cart = new HashMap<>();
            request.getSession().setAttribute("cart", cart);
        }
        cart.merge(Product.TEA, 1, Integer::sum);
        return cart.get(Product.TEA) + " " + Product.TEA.name;
    }
}
