package io.understudy.junit.comparison;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bodies are compared but for what differs each time. */
@Tag("rules")
class BodyTest {

    private static Optional<Body.Difference> compare(String expected, String again, String actual) {
        return new Body(actual).from(new Body(expected), new Body(again));
    }

    @Test
    void equalBodiesHaveNoDifference() {
        assertEquals(Optional.empty(), compare("3 items", "3 items", "3 items"));
        assertEquals(Optional.empty(), compare("", "", ""));
    }

    @Test
    void theFirstWordThatDiffersIsShown() {
        assertEquals(
                Optional.of(new Body.Difference("'3 items'", "'2 items'")), compare("3 items", "3 items", "2 items"));
        assertEquals(Optional.of(new Body.Difference("'tea cup'", "'tea'")), compare("tea cup", "tea cup", "tea"));
    }

    @Test
    void wordsThatDifferEachTimeMayDiffer() {
        String page = "<a href=\"/order?id=%s\">order</a> %s";
        String expected = page.formatted(UUID.randomUUID(), "3 items");
        String again = page.formatted(UUID.randomUUID(), "3 items");
        assertEquals(Optional.empty(), compare(expected, again, page.formatted(UUID.randomUUID(), "3 items")));
        assertEquals(
                true,
                compare(expected, again, page.formatted(UUID.randomUUID(), "2 items"))
                        .isPresent());
    }

    @Test
    void whatSurroundsTextOfAnyLengthIsCompared() {
        String expected = "<p>a b</p> 3 items";
        String again = "<p>c</p> 3 items";
        assertEquals(Optional.empty(), compare(expected, again, "<p>d e f</p> 3 items"));
        assertEquals(true, compare(expected, again, "<p>d</p> 2 items").isPresent());
        assertEquals(true, compare(expected, again, "<q>d</p> 3 items").isPresent());
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // Applications show them.
    void theTimeOfTheTestIsNoDifference() {
        Instant now = Instant.now();
        String page = "at %s, %s, %s ms, %s s";
        String first = page.formatted(now, Date.from(now), now.toEpochMilli(), now.getEpochSecond());
        Instant later = now.plusSeconds(100);
        String third = page.formatted(later, Date.from(later), later.toEpochMilli(), later.getEpochSecond());
        assertEquals(Optional.empty(), compare(first, first, third));
        assertEquals(
                true,
                compare("order 1234567890", "order 1234567890", "order 1234567891")
                        .isPresent());
    }
}
