package io.understudy.demo.shop;

import java.io.Serializable;

/**
 * One line of a cart. Mutable on purpose: the shop changes it in place, inside a list that is already in the session.
 *
 * <p>Threads: guarded by the session's lock in {@link ShopServlet}.
 */
public final class CartItem implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String sku;
    private final String name;
    private final long cents;
    private int quantity;

    CartItem(String sku, String name, long cents) {
        this.sku = sku;
        this.name = name;
        this.cents = cents;
    }

    String sku() {
        return sku;
    }

    String name() {
        return name;
    }

    /** The price of one, in euro cents. */
    long cents() {
        return cents;
    }

    int quantity() {
        return quantity;
    }

    /** Adds so many, or takes so many away if negative. */
    void add(int more) {
        quantity = Math.addExact(quantity, more);
    }
}
