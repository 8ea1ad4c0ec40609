package io.understudy.benchmarks.peers.node;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** One of the things that a customer wants to buy. */
final class CartItem implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final int ITEMS = 20;

    private final String name;
    private final BigDecimal price;
    private int quantity;

    private CartItem(String name, BigDecimal price) {
        this.name = name;
        this.price = price;
    }

    /** A cart as an application would keep it. */
    static List<CartItem> cart() {
        List<CartItem> cart = new ArrayList<>();
        for (int i = 1; i <= ITEMS; i++) {
            CartItem item = new CartItem("article number " + i, BigDecimal.valueOf(100L * i + 99, 2));
            item.quantity = i;
            cart.add(item);
        }
        return cart;
    }

    /** What all of them cost. */
    static BigDecimal total(List<?> cart) {
        BigDecimal total = BigDecimal.ZERO;
        for (Object each : cart) {
            CartItem item = (CartItem) each;
            if (!item.name.isEmpty()) {
                total = total.add(item.price.multiply(BigDecimal.valueOf(item.quantity)));
            }
        }
        return total;
    }
}
