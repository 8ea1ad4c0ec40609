package io.understudy.session.tickets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class RunningTicketsTest {

    private final RunningTickets tickets = new RunningTickets();

    @Test
    void whateverTheOrderOfTheEndsNoneIsLeft() {
        LongStream.range(0, 100).forEach(tickets::add);
        assertEquals(100, tickets.size());
        for (long ticket : List.of(99L, 0L, 50L)) {
            assertTrue(tickets.remove(ticket));
            assertFalse(tickets.contains(ticket));
        }
        assertEquals(97, tickets.snapshot().length);
        LongStream.range(0, 100).forEach(tickets::remove);
        assertTrue(tickets.isEmpty());
    }

    @Test
    void aSecondEndOfATicketEndsNothing() {
        tickets.add(7);
        tickets.add(8);
        assertTrue(tickets.remove(7));
        assertFalse(tickets.remove(7));
        assertArrayEquals(new long[] {8}, tickets.snapshot());
    }
}
