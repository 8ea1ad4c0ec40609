package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Fault: a cache holds the object of the attribute, and changes do not go through the session. */
@WebServlet("/*")
public final class CachedObject extends Sample {

    private final Map<String, List<String>> cache = new ConcurrentHashMap<>();

    @Override
    String page(HttpServletRequest request) {
        String id = request.getSession().getId();
        List<String> cart = cache.get(id);
        if (cart == null) {
            cart = attribute(request, "cart");
            if (cart == null) {
                cart = new ArrayList<>();
                request.getSession().setAttribute("cart", cart);
            }
            cache.put(id, cart);
        }
        cart.add(parameter(request, "item"));
        return String.join(" ", cart);
    }
}
