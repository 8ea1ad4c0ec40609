package io.understudy.junit.samples;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;

/** Fault: the cart's own serialization forgets its discount. */
@WebServlet("/*")
public final class DroppingSerialization extends Sample {

    /** A cart. */
    public static final class Cart implements Externalizable {
        private int total;
        private int discount;

        /** For deserialization. */
        public Cart() {}

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(total);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            total = in.readInt();
        }
    }

    @Override
    String page(HttpServletRequest request) {
        Cart cart = attribute(request, "cart");
        if (cart == null) {
            cart = new Cart();
            cart.discount = 10;
            request.getSession().setAttribute("cart", cart);
        }
        cart.total += 100;
        return "total " + (cart.total - cart.discount);
    }
}
