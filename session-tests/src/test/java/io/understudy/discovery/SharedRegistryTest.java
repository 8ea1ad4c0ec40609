package io.understudy.discovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.discovery.SharedRegistry.Reader;
import io.understudy.testkit.LogLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.protocols.PingData;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which entries are read, written and removed when, with a clock moved by hand. */
@Tag("rules")
class SharedRegistryTest {

    private final Map<Address, PingData> written = new LinkedHashMap<>();
    private long millis;
    private int reads;
    private boolean broken;
    private Runnable whileRead = () -> {};

    private final SharedRegistry.Store store = new SharedRegistry.Store() {
        @Override
        public List<PingData> read() throws IOException {
            reads++;
            if (broken) {
                throw new IOException("broken");
            }
            whileRead.run();
            return new ArrayList<>(written.values());
        }

        @Override
        public void write(PingData own) {
            written.put(own.getAddress(), own);
        }

        @Override
        public void remove(Address node) {
            written.remove(node);
        }
    };

    private final SharedRegistry entries = new SharedRegistry("node1", "a test", store, () -> millis);
    private final PingData own = node(1);
    private final PingData other = node(2);
    private final PingData dead = node(3);

    private static PingData node(int number) {
        return at("127.0.0.1", 7800 + number);
    }

    private static PingData at(String address, int port) {
        try {
            return new PingData(UUID.randomUUID(), true, "node", new IpAddress(address, port));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void write(PingData... nodes) {
        Arrays.stream(nodes).forEach(node -> written.put(node.getAddress(), node));
    }

    private Reader reader(boolean first, PingData... view) {
        return new Reader(own, Arrays.stream(view).map(PingData::getAddress).toList(), first);
    }

    private static Set<PhysicalAddress> addresses(PingData... nodes) {
        return Set.copyOf(Arrays.stream(nodes).map(PingData::getPhysicalAddr).toList());
    }

    @Test
    void aNodeWritesItsOwnAndAsksAtTheOthers() {
        write(other);
        assertEquals(addresses(other), entries.look(reader(false), true));
        assertEquals(Set.of(own.getAddress(), other.getAddress()), written.keySet());
        assertEquals(addresses(other), entries.look(reader(false), true));
    }

    @Test
    void entriesAreReadAgainAfterFiveSecondsAndOnesOwnIsWrittenAgain() {
        assertEquals(Set.of(), entries.look(reader(true, own), true));
        written.clear();
        write(other);
        millis += 4999;
        assertEquals(Set.of(), entries.look(reader(true, own), false));
        assertEquals(1, reads);
        millis++;
        assertEquals(addresses(other), entries.look(reader(true, own), false));
        assertEquals(Set.of(own.getAddress(), other.getAddress()), written.keySet());
    }

    @Test
    void theFirstMemberRemovesWhatWasOutsideOfItsViewForAMinute() {
        write(own, other, dead);
        PingData late = node(4);
        for (long end = SharedRegistry.FORGET_MILLIS; millis < end; millis += 5000) {
            entries.look(reader(true, own, other), false);
            assertEquals(addresses(other, dead), entries.look(reader(true, own, other), false));
        }
        entries.look(reader(true, own, other), false);
        assertEquals(Set.of(own.getAddress(), other.getAddress()), written.keySet());
        write(late);
        millis += 5000;
        assertEquals(addresses(other, late), entries.look(reader(true, own, other), false));
        millis += SharedRegistry.FORGET_MILLIS - 5000;
        entries.look(reader(true, own, other, late), false); // It has joined.
        millis += 5000;
        entries.look(reader(true, own, other), false); // And is out of reach from now on.
        assertEquals(Set.of(own.getAddress(), other.getAddress(), late.getAddress()), written.keySet());
    }

    @Test
    void whoIsNotTheFirstMemberRemovesNothing() {
        write(own, other, dead);
        for (; millis < 3 * SharedRegistry.FORGET_MILLIS; millis += 5000) {
            entries.look(reader(false, other, own), false);
        }
        assertEquals(3, written.size());
    }

    @Test
    void aNodeRemovesWhatAnEarlierOneLeftAtItsAddress() {
        PingData before = node(1);
        write(before, other);
        assertEquals(addresses(other), entries.look(reader(false), true));
        assertEquals(Set.of(own.getAddress(), other.getAddress()), written.keySet());
    }

    @Test
    void aNodeWhoseAddressChangedIsWrittenAnew() {
        write(new PingData(own.getAddress(), true, "node", other.getPhysicalAddr()));
        entries.look(reader(false), true);
        assertEquals(own.getPhysicalAddr(), written.get(own.getAddress()).getPhysicalAddr());
    }

    @Test
    void whatCantBeReadIsToldOfOnceAndTheLastAddressesAreAskedAt() {
        try (LogLines log = new LogLines("io.understudy.discovery")) {
            write(other);
            entries.look(reader(false), true);
            broken = true;
            for (int i = 0; i < 3; i++) {
                assertEquals(addresses(other), entries.look(reader(false), true));
            }
            broken = false;
            entries.look(reader(false), true);
            entries.look(reader(false), true);
            assertEquals(
                    List.of(
                            "WARNING node1 - can't find other members by a test for now, and they can't find this node "
                                    + "by it; it retries: java.io.IOException: broken",
                            "INFO node1 - finds other members by a test again"),
                    log.with("node1"));
        }
    }

    @Test
    void whoStopsRemovesItsOwnForGood() {
        entries.look(reader(true, own), true);
        entries.close(own.getAddress());
        assertEquals(Set.of(), entries.look(reader(true, own), true));
        assertNull(written.get(own.getAddress()));
    }

    @Test
    void whoReadsForLongerThanAStopWaitsRemovesItsOwn() {
        whileRead = () -> {
            Thread stopping = new Thread(() -> entries.close(own.getAddress()));
            stopping.start();
            try {
                stopping.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        entries.look(reader(true, own), true);
        assertNull(written.get(own.getAddress()));
    }
}
