package io.understudy.sims;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came back for one request.
 *
 * @param status the HTTP status, {@code 0} if the connection broke or no answer came in time
 * @param shop what the shop said, {@code null} if it was not its JSON
 * @param nanos how long the client waited for it
 */
record Answer(int status, @Nullable Shop shop, long nanos) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The shop's state of one session.
     *
     * @param node which answered
     * @param session its id, {@code null} without one
     * @param user who is logged in, {@code null} if nobody is
     * @param values the counter, and how many of each article are in the cart
     * @param degraded whether the response left without every other node's acknowledgement: its header says so, as the page
     *     was written before that was known
     */
    record Shop(
            String node,
            @Nullable String session,
            @Nullable String user,
            Map<String, Integer> values,
            boolean degraded) {

        static final String COUNTER = "counter";

        /** The name in {@link #values} of an article in the cart. */
        static String inCart(String sku) {
            return "cart " + sku;
        }
    }

    static Answer of(int status, @Nullable String body, long nanos) {
        return of(status, body, false, nanos);
    }

    static Answer of(int status, @Nullable String body, boolean degraded, long nanos) {
        return new Answer(status, status == 200 && body != null ? parse(body, degraded) : null, nanos);
    }

    /** Nothing came back. */
    static Answer none(long nanos) {
        return new Answer(0, null, nanos);
    }

    private static @Nullable Shop parse(String body, boolean degraded) {
        try {
            JsonNode json = JSON.readTree(body);
            if (!json.has("node") || !json.has("session") || !json.has(Shop.COUNTER)) {
                return null;
            }
            Map<String, Integer> values = new LinkedHashMap<>();
            values.put(Shop.COUNTER, json.get(Shop.COUNTER).asInt());
            for (JsonNode line : json.path("cart")) {
                values.merge(
                        Shop.inCart(line.path("sku").asText()),
                        line.path("quantity").asInt(),
                        Integer::sum);
            }
            return new Shop(
                    json.get("node").asText(),
                    json.get("session").textValue(),
                    json.path("user").textValue(),
                    values,
                    degraded);
        } catch (JsonProcessingException e) {
            return null;
        }
    }
}
