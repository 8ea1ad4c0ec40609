package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Currency;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Values of all sorts come back as they were. */
final class ValueCases {

    enum Colour {
        RED,
        GREEN
    }

    record Item(String name, BigDecimal price, List<String> tags) implements Serializable {}

    private ValueCases() {}

    private static Map<String, Serializable> values() {
        Map<String, Serializable> values = new LinkedHashMap<>();
        values.put("an empty text", "");
        values.put("an int", 42);
        values.put("a long", Long.MIN_VALUE);
        values.put("a double", -0.0);
        values.put("a boolean", true);
        values.put("a character", '\uD83C');
        values.put("a big decimal", new BigDecimal("10.00"));
        values.put("a big integer", BigInteger.TWO.pow(200));
        values.put("a UUID", new UUID(1, 2));
        values.put("a URI", URI.create("http://example.org/a?b=c#d"));
        values.put("a locale", Locale.forLanguageTag("zh-Hant-TW"));
        values.put("a currency", Currency.getInstance("EUR"));
        values.put("a date", LocalDate.of(2024, 2, 29));
        values.put("an instant", Instant.ofEpochSecond(1, 999_999_999));
        values.put("a zoned time", ZonedDateTime.parse("2024-10-27T02:30:00+01:00[Europe/Berlin]"));
        values.put("a duration", Duration.ofNanos(-1));
        values.put("a constant", Colour.GREEN);
        values.put("a record", new Item("tea", new BigDecimal("3.50"), List.of("hot")));
        values.put("a list with nulls", new ArrayList<>(Arrays.asList("a", null, "b")));
        values.put("an unchangeable list", (Serializable) List.of(1, 2, 3));
        values.put("an unchangeable view", (Serializable) Collections.unmodifiableList(new ArrayList<>(List.of(1, 2))));
        values.put("a map in order", new LinkedHashMap<>(Map.of("k", List.of("v"))));
        values.put("a sorted map", new TreeMap<>(Map.of("b", 1, "a", 2)));
        values.put("a map of constants", new EnumMap<>(Map.of(Colour.RED, 1)));
        values.put("a set of constants", EnumSet.of(Colour.RED, Colour.GREEN));
        return values;
    }

    static Cases all() {
        Cases cases = new Cases();
        values().forEach((name, value) -> cases.add(name + " comes back equal", visit -> {
            Client client = visit.client();
            client.run((request, response) -> request.getSession().setAttribute("value", value));
            for (int i = 0; i < 2; i++) {
                Object back = client.ask(request -> request.getSession(false).getAttribute("value"));
                assertEquals(value, back);
                assertEquals(value.getClass(), back.getClass());
            }
        }));
        return cases.add("an array comes back equal", visit -> {
                    Client client = visit.client();
                    client.run((request, response) ->
                            request.getSession().setAttribute("value", new int[][] {{1}, {}}));
                    assertArrayEquals(new int[][] {{1}, {}}, client.ask(request ->
                            (int[][]) request.getSession(false).getAttribute("value")));
                })
                .add("a queue comes back in order", visit -> {
                    Client client = visit.client();
                    client.run((request, response) ->
                            request.getSession().setAttribute("value", new ArrayDeque<>(List.of(3, 1, 2))));
                    client.expect(
                            List.of(3, 1, 2),
                            request -> List.copyOf(
                                    (ArrayDeque<?>) request.getSession(false).getAttribute("value")));
                })
                .add("a constant is the same object", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> request.getSession().setAttribute("value", Colour.RED));
                    assertSame(
                            Colour.RED,
                            client.ask(request -> request.getSession(false).getAttribute("value")));
                });
    }
}
