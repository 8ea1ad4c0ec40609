package io.understudy.benchmarks.codec;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The attributes of a session as applications have them: who the user is, and a cart with 20 items. */
final class ShopSession {

    private static final int ITEMS = 20;

    private ShopSession() {}

    /** A profile and a cart. */
    static List<Object> attributes() {
        Profile profile = new Profile();
        profile.id = 4_711_815;
        profile.name = "Ada Lovelace";
        profile.email = "ada@example.org";
        profile.address = new Address("12 St James's Square", "London", "SW1Y 4JH", "GB");
        profile.lastLogin = Instant.parse("2026-11-22T08:15:30.123Z");
        profile.roles.addAll(List.of("customer", "newsletter", "reviewer"));
        Cart cart = new Cart();
        cart.created = Instant.parse("2026-11-22T09:01:02.003Z");
        cart.currency = "GBP";
        for (int i = 0; i < ITEMS; i++) {
            Item item = new Item();
            item.sku = "SKU-" + (100_000 + 37 * i);
            item.title = "Engine part number " + i;
            item.price = BigDecimal.valueOf(995 + 101L * i, 2);
            item.quantity = 1 + i % 3;
            item.kind = Kind.values()[i % Kind.values().length];
            item.options.put("colour", i % 2 == 0 ? "brass" : "steel");
            cart.items.add(item);
        }
        return List.of(profile, cart);
    }

    enum Kind {
        NEW,
        USED,
        GIFT
    }

    record Address(String street, String city, String postcode, String country) implements Serializable {}

    static final class Profile implements Serializable {
        private static final long serialVersionUID = 1L;
        long id;
        String name = "";
        String email = "";
        Address address = new Address("", "", "", "");
        Instant lastLogin = Instant.EPOCH;
        final List<String> roles = new ArrayList<>();
    }

    static final class Cart implements Serializable {
        private static final long serialVersionUID = 1L;
        Instant created = Instant.EPOCH;
        String currency = "";
        final List<Item> items = new ArrayList<>();
    }

    static final class Item implements Serializable {
        private static final long serialVersionUID = 1L;
        String sku = "";
        String title = "";
        BigDecimal price = BigDecimal.ZERO;
        int quantity;
        Kind kind = Kind.NEW;
        final Map<String, String> options = new HashMap<>();
    }
}
