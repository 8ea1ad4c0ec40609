package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** No fault: a transient field is made anew where it is missing. */
@WebServlet("/*")
public final class CleanTransient extends Sample {

    static final class Cart implements Serializable {
        private final List<Integer> prices = new ArrayList<>();
        private transient @Nullable Integer total;

        int total() {
            Integer known = total;
            if (known == null) {
                known = prices.stream().mapToInt(Integer::intValue).sum();
                total = known;
            }
            return known;
        }
    }

    @Override
    String page(HttpServletRequest request) {
        Cart cart = attribute(request, "cart");
        if (cart == null) {
            cart = new Cart();
            request.getSession().setAttribute("cart", cart);
        }
        if (path(request).equals("/add")) {
            cart.prices.add(Integer.valueOf(parameter(request, "price")));
            cart.total = null;
        }
        return "total " + cart.total();
    }
}
