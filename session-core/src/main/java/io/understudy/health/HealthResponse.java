package io.understudy.health;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/**
 * A response with a text.
 *
 * @param headers beside those that each response has
 */
public record HealthResponse(int status, String text, Map<String, String> headers) {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private static final Map<Integer, String> REASONS = Map.of(
            200, "OK",
            400, "Bad Request",
            403, "Forbidden",
            404, "Not Found",
            405, "Method Not Allowed",
            409, "Conflict",
            431, "Request Header Fields Too Large",
            500, "Internal Server Error",
            503, "Service Unavailable");

    public HealthResponse(int status, String text) {
        this(status, text, Map.of());
    }

    /** @param headOnly whether the body is left out, as for HEAD */
    byte[] bytes(boolean headOnly, Instant now) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " " + REASONS.getOrDefault(status, "") + "\r\n");
        head.append("Date: ").append(DATE.format(now)).append("\r\n");
        headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        head.append("Content-Type: text/plain; charset=utf-8\r\nContent-Length: " + body.length + "\r\n");
        head.append("Cache-Control: no-store\r\nConnection: close\r\n\r\n");
        byte[] first = head.toString().getBytes(StandardCharsets.ISO_8859_1);
        if (headOnly) {
            return first;
        }
        byte[] all = Arrays.copyOf(first, first.length + body.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return all;
    }
}
