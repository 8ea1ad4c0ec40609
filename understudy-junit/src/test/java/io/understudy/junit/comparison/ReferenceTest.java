package io.understudy.junit.comparison;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.doctor.Likeness;
import io.understudy.junit.comparison.Discrepancy.Kind;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two runs on one node, and a third one that is compared with them. */
@Tag("rules")
class ReferenceTest {

    @SuppressWarnings("UnusedVariable") // Its fields are compared.
    private static final class Cart implements Serializable {
        private final String id;
        private final int items;
        private final transient Integer total;

        Cart(String id, int items, Integer total) {
            this.id = id;
            this.items = items;
            this.total = total;
        }
    }

    private static Map<String, Likeness> likenesses(Map<String, Object> session) {
        Map<String, Likeness> likenesses = new TreeMap<>();
        session.forEach((name, value) -> likenesses.put(name, Likeness.of(name, value)));
        return likenesses;
    }

    private static Exchange exchange(int number, String target, String body, Map<String, Object> session) {
        Answer answer = new Answer(200, Map.of("content-type", "text/plain"), Set.of(), body);
        Course course = new Course(Set.of("session"), 2L * number, 2L * number + 1, false, true, true);
        return new Exchange(number, "GET", target, "node1", answer, likenesses(session), course);
    }

    private static Ignored ignoring(String place) {
        return new Ignored(List.of(place), List.of());
    }

    private static List<Exchange> run(Object... carts) {
        List<Exchange> run = new ArrayList<>();
        for (Object cart : carts) {
            run.add(exchange(run.size() + 1, "/cart", "ok", Map.of("cart", cart)));
        }
        return run;
    }

    private static Discrepancy first(Reference reference, List<Exchange> actual) {
        return reference.compare(actual, true).first();
    }

    @Test
    void theFirstDifferenceIsTheEarliest() {
        List<Exchange> expected = run(new Cart("a", 1, 5), new Cart("a", 2, 5));
        Reference reference = new Reference(expected, expected, Ignored.NOTHING);
        assertNull(first(reference, expected));
        Discrepancy found = first(reference, run(new Cart("a", 1, 5), new Cart("a", 1, 5)));
        assertNotNull(found);
        assertEquals(Kind.ATTRIBUTE, found.kind());
        assertEquals("request 2, GET /cart", found.request());
        assertEquals("attribute cart.items after it, as the next node has it", found.what());
        assertEquals("2", found.expected());
        assertEquals("1", found.actual());
    }

    @Test
    void anAttributeThatStaysOnItsNodeIsLacking() {
        List<Exchange> expected = run(new Cart("a", 1, 5));
        Reference reference = new Reference(expected, expected, Ignored.NOTHING);
        Discrepancy found = first(reference, List.of(exchange(1, "/cart", "ok", Map.of())));
        assertNotNull(found);
        assertEquals(Kind.ATTRIBUTE_LACKING, found.kind());
        assertEquals("cart", found.attribute());
    }

    @Test
    void whatDiffersEachTimeMayDiffer() {
        Reference reference = new Reference(run(new Cart("a", 1, 5)), run(new Cart("b", 1, 5)), Ignored.NOTHING);
        assertNull(first(reference, run(new Cart("c", 1, 5))));
        assertNotNull(first(reference, run(new Cart("c", 2, 5))));
    }

    @Test
    void ignoredPlacesMayDiffer() {
        List<Exchange> expected = run(new Cart("a", 1, 5));
        assertNotNull(first(new Reference(expected, expected, ignoring("cart.it")), run(new Cart("a", 2, 5))));
        assertNull(first(new Reference(expected, expected, ignoring("cart.items")), run(new Cart("a", 2, 5))));
        assertNull(first(new Reference(expected, expected, ignoring("cart")), run(new Cart("a", 2, 5))));
    }

    @Test
    void ignoredTextsOfResponsesMayDiffer() {
        List<Exchange> expected = List.of(exchange(1, "/", "token a1, 3 items", Map.of()));
        List<Exchange> actual = List.of(exchange(1, "/", "token b2 c3, 3 items", Map.of()));
        assertNotNull(first(new Reference(expected, expected, Ignored.NOTHING), actual));
        Ignored token = new Ignored(List.of(), List.of(Pattern.compile("token [^,]*")));
        assertNull(first(new Reference(expected, expected, token), actual));
        List<Exchange> other = List.of(exchange(1, "/", "token b2 c3, 2 items", Map.of()));
        Discrepancy found = first(new Reference(expected, expected, token), other);
        assertNotNull(found);
        assertEquals("'<ignored>, 2 items'", found.actual());
    }

    @Test
    void transientFieldsAreNotedOnly() {
        List<Exchange> expected = run(new Cart("a", 1, 5));
        Reference.Outcome outcome =
                new Reference(expected, expected, Ignored.NOTHING).compare(run(new Cart("a", 1, null)), true);
        assertNull(outcome.first());
        assertEquals(List.of("cart.total: 5 on one node, null on the next"), outcome.lost());
    }

    @Test
    void responsesAreComparedBeforeTheSession() {
        List<Exchange> expected = run(new Cart("a", 1, 5));
        Reference reference = new Reference(expected, expected, Ignored.NOTHING);
        Discrepancy found =
                first(reference, List.of(exchange(1, "/cart", "not ok", Map.of("cart", new Cart("a", 2, 5)))));
        assertNotNull(found);
        assertEquals(Kind.RESPONSE, found.kind());
        assertEquals("body", found.what());
    }

    @Test
    void otherRequestsAreNamed() {
        List<Exchange> expected = run(new Cart("a", 1, 5), new Cart("a", 1, 5));
        Reference reference = new Reference(expected, expected, Ignored.NOTHING);
        Discrepancy other = first(reference, List.of(exchange(1, "/shop", "ok", Map.of())));
        assertNotNull(other);
        assertEquals(Kind.REQUEST, other.kind());
        List<Exchange> less = run(new Cart("a", 1, 5));
        assertNotNull(first(reference, less));
        assertNull(reference.compare(less, false).first(), "the test failed, so it did not send the rest");
    }
}
