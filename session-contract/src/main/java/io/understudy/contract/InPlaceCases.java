package io.understudy.contract;

import jakarta.servlet.http.HttpServletRequest;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** What an application changes in an attribute, without setting it again, is there in the next request. */
final class InPlaceCases {

    /** As applications have them: fields, and objects in fields. */
    static final class Basket implements Serializable {
        private static final long serialVersionUID = 1L;

        private final List<Line> lines = new ArrayList<>();
        private String voucher = "none";

        static final class Line implements Serializable {
            private static final long serialVersionUID = 1L;

            private final String item;
            private int count = 1;

            Line(String item) {
                this.item = item;
            }
        }

        String seen() {
            StringBuilder text = new StringBuilder(voucher);
            lines.forEach(line -> text.append(' ').append(line.count).append(line.item));
            return text.toString();
        }
    }

    private InPlaceCases() {}

    @SuppressWarnings("unchecked")
    private static <T> Cases.Case changed(Supplier<T> fresh, Consumer<T> change, Function<T, ?> seen) {
        return visit -> {
            Client client = visit.client();
            T expected = fresh.get();
            client.run((request, response) -> request.getSession().setAttribute("value", fresh.get()));
            for (int i = 0; i < 3; i++) {
                change.accept(expected);
                client.run((request, response) -> change.accept((T) value(request)));
                client.expect(seen.apply(expected), request -> seen.apply((T) value(request)));
            }
        };
    }

    private static Object value(HttpServletRequest request) {
        return request.getSession(false).getAttribute("value");
    }

    @SuppressWarnings("unchecked")
    private static List<String> list(HttpServletRequest request) {
        return (List<String>) value(request);
    }

    @SuppressWarnings("JavaUtilDate") // Sessions hold them.
    static Cases all() {
        return new Cases()
                .add("a list grows", changed(() -> new ArrayList<>(List.of("a")), list -> list.add("b"), List::copyOf))
                .add("a list is emptied", changed(() -> new ArrayList<>(List.of("a")), List::clear, List::copyOf))
                .add(
                        "a map gets an entry",
                        changed(() -> new HashMap<Integer, String>(), map -> map.put(map.size(), "v"), Map::copyOf))
                .add(
                        "a map's entry changes",
                        changed(
                                () -> new HashMap<>(Map.of("k", 1)),
                                map -> map.merge("k", 1, Integer::sum),
                                Map::copyOf))
                .add(
                        "a concurrent map gets an entry",
                        changed(
                                () -> new ConcurrentHashMap<Integer, String>(),
                                map -> map.put(map.size(), "v"),
                                Map::copyOf))
                .add("a set grows", changed(() -> new HashSet<Integer>(), set -> set.add(set.size()), List::copyOf))
                .add(
                        "a queue moves on",
                        changed(
                                () -> new ArrayDeque<>(List.of(1, 2, 3)),
                                queue -> queue.addLast(queue.removeFirst()),
                                List::copyOf))
                .add(
                        "an array's element changes",
                        changed(() -> new int[] {0, 0}, array -> array[1]++, array -> array[1]))
                .add("bytes change", changed(() -> new byte[64], bytes -> bytes[63]++, bytes -> bytes[63]))
                .add(
                        "a date moves",
                        changed(() -> new Date(0), date -> date.setTime(date.getTime() + 1), Date::getTime))
                .add(
                        "a text is appended to",
                        changed(StringBuilder::new, text -> text.append("x"), StringBuilder::toString))
                .add(
                        "a number is counted up",
                        changed(AtomicInteger::new, AtomicInteger::incrementAndGet, AtomicInteger::get))
                .add("a bean's field changes", changed(Basket::new, basket -> basket.voucher += "!", Basket::seen))
                .add(
                        "a bean in a bean is added",
                        changed(Basket::new, basket -> basket.lines.add(new Basket.Line("tea")), Basket::seen))
                .add(
                        "a bean deep within changes",
                        changed(
                                () -> {
                                    Basket basket = new Basket();
                                    basket.lines.add(new Basket.Line("tea"));
                                    return basket;
                                },
                                basket -> basket.lines.get(0).count++,
                                Basket::seen))
                .add("a change is of the request that made it, whatever it set later", visit -> {
                    Client client = visit.client();
                    client.run((request, response) ->
                            request.getSession().setAttribute("value", new ArrayList<>(List.of("a"))));
                    client.run((request, response) -> {
                        list(request).add("b");
                        request.getSession().setAttribute("other", "o");
                    });
                    client.expect(List.of("a", "b"), request -> list(request));
                })
                .add("what is set is changed afterwards", visit -> {
                    Client client = visit.client();
                    client.run((request, response) -> {
                        List<String> list = new ArrayList<>();
                        request.getSession().setAttribute("value", list);
                        list.add("late");
                    });
                    client.expect(List.of("late"), request -> list(request));
                });
    }
}
