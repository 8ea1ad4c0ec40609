package io.understudy.demo.shop;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one response shows: a copy, so that it can be written without holding the session's lock.
 *
 * @param session the session id, or {@code null} without a session
 * @param note the note's length and beginning, or {@code null} without one
 */
record ShopState(
        String node,
        String container,
        @Nullable String session,
        @Nullable String user,
        int counter,
        List<Line> cart,
        @Nullable Note note) {

    /** A copy of a {@link CartItem}. */
    record Line(String sku, String name, int quantity, long cents) {

        static Line of(CartItem item) {
            return new Line(item.sku(), item.name(), item.quantity(), item.cents());
        }

        long totalCents() {
            return cents * quantity;
        }
    }

    /**
     * A note as shown.
     *
     * @param length of the whole, in characters
     * @param beginning its first characters
     */
    record Note(int length, String beginning) {}

    long totalCents() {
        return cart.stream().mapToLong(Line::totalCents).sum();
    }

    String toJson() {
        String lines = cart.stream()
                .map(line -> "{\"sku\":" + quote(line.sku()) + ",\"name\":" + quote(line.name()) + ",\"quantity\":"
                        + line.quantity() + ",\"cents\":" + line.cents() + "}")
                .collect(Collectors.joining(",", "[", "]"));
        return "{\"node\":" + quote(node) + ",\"container\":" + quote(container) + ",\"session\":" + quote(session)
                + ",\"user\":" + quote(user) + ",\"counter\":" + counter + ",\"cart\":" + lines + "}\n";
    }

    private static String quote(@Nullable String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                // Surrogates too: an unpaired one has no UTF-8 form.
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
