package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;

/** Fault: two attributes hold one list, which is two on the next node. */
@WebServlet("/*")
public final class SharedObject extends Sample {

    @Override
    String page(HttpServletRequest request) {
        List<String> cart = attribute(request, "cart");
        if (cart == null) {
            cart = new ArrayList<>();
            request.getSession().setAttribute("cart", cart);
            request.getSession().setAttribute("basket", cart);
        }
        cart.add(parameter(request, "item"));
        List<String> basket = attribute(request, "basket");
        return (basket == null ? 0 : basket.size()) + " items";
    }
}
