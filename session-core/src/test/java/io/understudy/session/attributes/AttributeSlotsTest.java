package io.understudy.session.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.session.tickets.RunningTickets;
import io.understudy.session.tickets.RunningTickets.Holders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which slots commits, and ends of requests, look at. */
@Tag("rules")
class AttributeSlotsTest {

    private static final long TICKET = 1;

    private final RunningTickets running = new RunningTickets();
    private final AttributeSlots slots = new AttributeSlots(running);

    private static Stamp at(long time) {
        return new Stamp(time, 1);
    }

    private static StampedBytes written(long time) {
        return StampedBytes.of(at(time), new byte[] {1});
    }

    private static StampedBytes removed(long time) {
        return StampedBytes.tombstone(at(time));
    }

    private static SessionReplica replica(Map<String, StampedBytes> attributes) {
        return SessionReplica.of(new SessionDelta(new SessionKey(7), false, null, null, at(1), attributes, null));
    }

    private List<String> busy() {
        List<String> names = new ArrayList<>();
        slots.forEachBusy((name, slot) -> names.add(name));
        return names;
    }

    private void begin() {
        running.add(TICKET);
    }

    private void end() {
        running.remove(TICKET);
        slots.unwatch(TICKET);
    }

    /** A request sets an attribute, and commits that. */
    private void set(String name, long time, Holders by) {
        AttributeSlot slot = slots.enter(name);
        assertTrue(slot.replace(null, new int[] {1}, by, true));
        slot.leave();
        slots.committing();
        Look seen = slot.look();
        assertTrue(slot.hold(seen));
        slot.committed(seen, written(time), null);
        slots.committed();
    }

    private void request(String name, long time) {
        begin();
        set(name, time, running.holders(TICKET));
        assertTrue(busy().contains(name));
        end();
    }

    @Test
    void thoseThatNoRequestUsesSettle() {
        request("a", 10);
        request("b", 11);
        assertEquals(List.of(), busy());
        begin();
        slots.enter("a").leave();
        assertEquals(List.of("a"), busy());
        end();
        assertEquals(List.of(), busy());
    }

    @Test
    void theSlotOfWhatAnotherNodeRemovedGoes() {
        request("a", 10);
        request("b", 30);
        slots.letGoOfRemoved(replica(Map.of("a", removed(20), "b", written(30))));
        assertNull(slots.get("a"));
        assertNotNull(slots.get("b"));
        assertEquals(List.of(), busy());
    }

    /** Removals come in any order: of an older one the time of the last one says nothing. */
    @Test
    void whatWasWrittenBeforeTheLastRemovalStaysBusy() {
        request("a", 10);
        slots.letGoOfRemoved(replica(Map.of("a", written(10), "z", removed(20))));
        assertEquals(List.of("a"), busy());
        begin();
        end();
        assertEquals(List.of("a"), busy());
        slots.letGoOfRemoved(replica(Map.of("a", removed(15), "z", removed(20))));
        assertNull(slots.get("a"));
        assertEquals(List.of(), busy());
    }

    @Test
    void noneSettlesDuringACommit() {
        begin();
        set("a", 10, running.holders(TICKET));
        slots.committing();
        end();
        assertEquals(List.of("a"), busy());
        slots.committed();
        begin();
        end();
        assertEquals(List.of(), busy());
    }

    @Test
    void whatThreadsOfNoRequestHoldStaysBusy() {
        set("a", 10, Holders.beyond());
        begin();
        end();
        assertEquals(List.of("a"), busy());
    }

    @Test
    void aValueThatIsNotCommittedStaysBusy() {
        begin();
        AttributeSlot slot = slots.enter("a");
        assertTrue(slot.replace(null, "x", running.holders(TICKET), false));
        slot.leave();
        end();
        assertEquals(List.of("a"), busy());
    }

    @Test
    void theirHeapIsThatOfTheirObjects() {
        request("a", 10);
        long one = slots.heapBytes();
        request("b", 11);
        assertEquals(2 * one, slots.heapBytes());
        slots.letGo();
        assertEquals(0, slots.heapBytes());
    }
}
