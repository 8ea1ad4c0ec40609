package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Fault: a singleton keeps the carts of all users. */
@WebServlet("/*")
public final class ServletField extends Sample {

    private final Map<String, List<String>> carts = new ConcurrentHashMap<>();

    @Override
    String page(HttpServletRequest request) {
        List<String> cart = carts.computeIfAbsent(request.getSession().getId(), id -> new ArrayList<>());
        cart.add(parameter(request, "item"));
        return String.join(" ", cart);
    }
}
