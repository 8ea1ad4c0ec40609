package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Fault: one item of a list is not Serializable. */
@WebServlet("/*")
public final class NotSerializablePart extends Sample {

    static final class Item implements Serializable {
        private final String name;
        private final Price price;

        Item(String name, Price price) {
            this.name = name;
            this.price = price;
        }
    }

    static final class Price {
        private final int cents = 995;
    }

    @Override
    String page(HttpServletRequest request) {
        List<Item> cart = attribute(request, "cart");
        if (cart == null) {
            cart = new ArrayList<>();
            request.getSession().setAttribute("cart", cart);
        }
        cart.add(new Item(parameter(request, "item"), new Price()));
        Item last = cart.get(cart.size() - 1);
        return cart.size() + " items, the last is " + last.name + " for " + last.price.cents;
    }
}
