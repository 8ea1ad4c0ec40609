package io.understudy.session.tickets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class TicketsTest {

    private final Tickets tickets = new Tickets();

    @Test
    void eachTicketIsInOnceInWhateverOrderTheyCome() {
        for (long ticket : List.of(5L, 9L, 7L, 5L, 1L, 9L, 8L)) {
            tickets.add(ticket);
        }
        assertArrayEquals(new long[] {1, 5, 7, 8, 9}, tickets.snapshot());
        assertTrue(tickets.remove(7));
        assertFalse(tickets.remove(7));
        assertArrayEquals(new long[] {1, 5, 8, 9}, tickets.snapshot());
        assertTrue(tickets.contains(8));
        assertFalse(tickets.contains(7));
    }

    /** Each end of a request asks this for each attribute in use, and a session may have many open requests. */
    @Test
    void whetherOneRunsIsKnownFromTheFirstThatDoes() {
        LongStream.rangeClosed(1, 1000).forEach(tickets::add);
        List<Long> asked = new ArrayList<>();
        assertTrue(tickets.any(ticket -> asked.add(ticket) && ticket <= 998));
        assertEquals(List.of(1000L, 999L, 998L), asked);
        assertEquals(998, tickets.size(), "those that do not run are out");
        assertFalse(tickets.any(ticket -> false));
        assertEquals(0, tickets.size());
    }

    @Test
    void aTicketThatEndedUnnoticedIsNoOtherOne() {
        RunningTickets running = new RunningTickets();
        SlotHolders holders = new SlotHolders(running);
        for (long ticket : new long[] {1, 2, 3}) {
            running.add(ticket);
            holders.add(running.holders(ticket));
        }
        assertTrue(running.remove(3));
        assertTrue(holders.anyUnansweredBut(2), "the first one runs");
        assertTrue(running.remove(1));
        assertFalse(holders.anyUnansweredBut(2));
        assertTrue(holders.anyUnanswered());
    }
}
