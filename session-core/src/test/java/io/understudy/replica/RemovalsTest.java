package io.understudy.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

/** Removed attributes of which only a floor is remembered. */
@Tag("rules")
class RemovalsTest {

    private static final SessionKey KEY = new SessionKey(7);
    private static final int MOST = 4;
    private static final int KEPT = 2;

    // The laws of the join

    @Property(tries = 2000)
    void joinsDependOnNeitherSideNorGroupingNorRepetition(
            @ForAll("deltas") SessionDelta a, @ForAll("deltas") SessionDelta b, @ForAll("deltas") SessionDelta c) {
        SessionDelta joined = SessionDelta.join(SessionDelta.join(a, b), c);
        assertEquals(joined, SessionDelta.join(a, SessionDelta.join(b, c)));
        assertEquals(joined, SessionDelta.join(SessionDelta.join(c, a), b));
        assertEquals(joined, SessionDelta.join(joined, b));
        assertEquals(a, SessionDelta.join(a, a));
        assertEquals(a, SessionDelta.join(SessionDelta.empty(KEY), a));
    }

    @Property(tries = 2000)
    void everyOrderWithRepetitionsGivesTheSameReplica(
            @ForAll("histories") List<SessionDelta> history, @ForAll Random random) {
        List<SessionDelta> shuffled = new ArrayList<>(history);
        shuffled.add(history.get(random.nextInt(history.size())));
        Collections.shuffle(shuffled, random);
        SessionReplica inOrder = replica(history);
        SessionReplica reordered = replica(shuffled);
        assertEquals(inOrder, reordered);
        assertEquals(inOrder.digest(), reordered.digest());
        assertEquals(inOrder, SessionReplica.of(inOrder.asDelta()));
        for (SessionDelta delta : shuffled) {
            assertSame(inOrder, inOrder.merge(delta));
        }
    }

    @Property(tries = 2000)
    void replicasDifferExactlyWhenTheirDigestsDo(
            @ForAll("histories") List<SessionDelta> history, @ForAll("deltas") SessionDelta change) {
        SessionReplica before = replica(history);
        SessionReplica after = before.merge(change);
        assertEquals(stamps(before).equals(stamps(after)), before.digest() == after.digest());
    }

    private static Map<String, Stamp> stamps(SessionReplica replica) {
        Map<String, Stamp> stamps = new HashMap<>();
        replica.asDelta()
                .attributes()
                .forEach((name, value) -> stamps.put(name + (value.bytes() == null), value.stamp()));
        return stamps;
    }

    // Members that write, remove and give up removals

    private static final class Member {
        private final HybridClock clock;
        private final List<Queue<SessionDelta>> links = new ArrayList<>();
        private SessionReplica replica;

        Member(int origin, long skewMillis, SessionDelta begun) {
            clock = new HybridClock(() -> 100_000_000 + skewMillis, origin);
            replica = SessionReplica.of(begun);
        }

        /** @param bytes {@code null} to remove it */
        SessionDelta write(String name, byte[] bytes) {
            Stamp stamp = clock.next(WriteTimes.of(replica, name));
            Map<String, StampedBytes> changes =
                    new HashMap<>(Removals.folded(replica.asDelta().attributes(), MOST, KEPT));
            changes.put(name, bytes == null ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, bytes));
            SessionDelta delta = new SessionDelta(KEY, false, null, null, null, Map.copyOf(changes), null);
            replica = replica.merge(delta);
            return delta;
        }

        Set<String> names() {
            return new HashSet<>(replica.attributes().keySet());
        }
    }

    private static List<Member> members(long skewMillis) {
        SessionDelta begun = SessionDelta.created(KEY, new Stamp(1, 1), "id", 60);
        List<Member> members =
                List.of(new Member(1, 0, begun), new Member(2, skewMillis, begun), new Member(3, 0, begun));
        members.forEach(member -> members.forEach(other -> member.links.add(new ArrayDeque<>())));
        return members;
    }

    /** Whatever is on its way while others give up removals. */
    @Property(tries = 500)
    void membersEndUpAlikeWhateverIsUnderWay(@ForAll Random random) {
        List<Member> members = members(random.nextBoolean() ? 0 : -3_600_000);
        for (int i = 0; i < 200; i++) {
            Member member = members.get(random.nextInt(3));
            if (random.nextInt(3) == 0) {
                String name = "n" + random.nextInt(20);
                SessionDelta delta = member.write(name, random.nextInt(3) == 0 ? new byte[] {(byte) i} : null);
                members.forEach(
                        other -> other.links.get(members.indexOf(member)).add(delta));
            } else {
                SessionDelta next = member.links.get(random.nextInt(3)).poll();
                member.replica = next == null ? member.replica : member.replica.merge(next);
            }
        }
        for (Member member : members) {
            member.links.forEach(link -> link.forEach(delta -> member.replica = member.replica.merge(delta)));
        }
        for (Member member : members) {
            assertEquals(members.get(0).replica, member.replica);
            assertEquals(members.get(0).replica.digest(), member.replica.digest());
        }
    }

    /** Clocks may be an hour apart, and changes travel as they like, as long as each is there before the next is made. */
    @Property(tries = 500)
    void nothingIsLostThatWasKnownWhenRemovalsWereGivenUp(@ForAll Random random) {
        List<Member> members = members(-3_600_000);
        Map<String, Byte> expected = new HashMap<>();
        int most = 0;
        for (int i = 0; i < 200; i++) {
            String name = "n" + random.nextInt(60);
            boolean removal = expected.size() > 3 && random.nextBoolean();
            byte value = (byte) i;
            SessionDelta delta = members.get(random.nextInt(3)).write(name, removal ? null : new byte[] {value});
            if (removal) {
                expected.remove(name);
            } else {
                expected.put(name, value);
            }
            for (Member member : members) {
                member.replica = member.replica.merge(delta);
                Map<String, Byte> held = new HashMap<>();
                member.replica.attributes().forEach((key, bytes) -> held.put(key, bytes.bytes()[0]));
                assertEquals(expected, held);
                most = Math.max(most, member.replica.asDelta().attributes().size() - expected.size());
            }
        }
        assertTrue(most <= MOST + 2, most + " removals, with the floor, were remembered at once");
    }

    /** Its write was on its way when the others removed some: it is above all removals that its writer knew. */
    @Example
    void aWriteUnderWayStaysIfItsWriterKnewTheOldRemovals() {
        List<Member> members = members(-3_600_000);
        Member busy = members.get(0);
        Member slow = members.get(1);
        List<SessionDelta> removals = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            slow.replica = slow.replica.merge(busy.write("old" + i, null));
        }
        SessionDelta late = slow.write("late", new byte[] {1});
        for (int i = 0; i < KEPT; i++) {
            removals.add(busy.write("new" + i, null));
        }
        assertTrue(removals.stream().anyMatch(delta -> delta.attributes().containsKey(Removals.FLOOR)));
        busy.replica = busy.replica.merge(late);
        assertTrue(busy.names().contains("late"), () -> busy.replica.toString());
        removals.forEach(delta -> slow.replica = slow.replica.merge(delta));
        assertEquals(busy.replica, slow.replica);
    }

    /** What another member writes at the same time is above what is written anew to keep it. */
    @Example
    void whatIsKeptAboveTheFloorYieldsToAConcurrentWrite() {
        List<Member> members = members(0);
        Member busy = members.get(0);
        Member other = members.get(1);
        other.replica = other.replica.merge(busy.write("user", new byte[] {1}));
        for (int i = 0; i < MOST + 1; i++) {
            other.replica = other.replica.merge(busy.write("old" + i, null));
        }
        SessionDelta concurrent = other.write("user", new byte[] {2});
        SessionDelta folding = busy.write("new", null);
        assertTrue(folding.attributes().containsKey("user"), "it is written anew");
        busy.replica = busy.replica.merge(concurrent);
        other.replica = other.replica.merge(folding);
        assertEquals(busy.replica, other.replica);
        assertEquals(2, busy.replica.attribute("user").bytes()[0]);
    }

    /** It was written while its writer was apart. */
    @Example
    void aValueThatTheFloorOfAnotherEndsIsCounted() {
        List<Member> members = members(0);
        Member busy = members.get(0);
        Member apart = members.get(1);
        apart.write("apart", new byte[] {1});
        List<SessionDelta> removals = new ArrayList<>();
        for (int i = 0; i < MOST + 2; i++) {
            removals.add(busy.write("old" + i, null));
        }
        int ended = 0;
        for (SessionDelta removal : removals) {
            ended += apart.replica.endedByFloor(removal);
            apart.replica = apart.replica.merge(removal);
        }
        assertFalse(apart.names().contains("apart"));
        assertEquals(1, ended);
        busy.write("user", new byte[] {1});
        assertEquals(0, apart.replica.endedByFloor(busy.write("last", null)));
    }

    @Example
    void manyNamesAreNotRemembered() {
        HybridClock clock = new HybridClock(() -> 1, 1);
        SessionReplica replica = SessionReplica.of(SessionDelta.created(KEY, clock.next(), "id", 60));
        replica = replica.merge(change(Map.of("user", StampedBytes.of(clock.next(), new byte[] {1}))));
        for (int i = 0; i < 20_000; i++) {
            Map<String, StampedBytes> changes = new HashMap<>(replica.folded(Integer.MAX_VALUE));
            changes.put("state-" + i, StampedBytes.tombstone(clock.next(WriteTimes.of(replica, "state-" + i))));
            replica = replica.merge(change(changes));
            assertTrue(replica.asDelta().attributes().size() <= Removals.MOST + 3);
        }
        assertEquals(Set.of("user"), replica.attributes().keySet());
        assertTrue(replica.attributeBytes() < 64 * 1024, replica.attributeBytes() + " bytes");
        assertFalse(replica.asDelta().attributes().containsKey("state-0"));
    }

    @Example
    void aVersionFromBeforeIsHeldWhereTheRemovalWasGivenUp() {
        HybridClock clock = new HybridClock(() -> 1, 1);
        SessionReplica replica = SessionReplica.of(SessionDelta.created(KEY, clock.next(), "id", 60));
        replica = replica.merge(change(Map.of("gone", StampedBytes.tombstone(clock.next()))));
        SessionVersion seen = SessionVersion.of(KEY, replica);
        for (int i = 0; i <= Removals.MOST; i++) {
            replica = replica.merge(change(Map.of("state-" + i, StampedBytes.tombstone(clock.next()))));
        }
        assertTrue(seen.heldBy(replica));
        Map<String, StampedBytes> folded = replica.folded(Integer.MAX_VALUE);
        assertFalse(folded.isEmpty());
        replica = replica.merge(change(folded));
        assertFalse(replica.asDelta().attributes().containsKey("gone"));
        assertTrue(seen.heldBy(replica));
    }

    /** The other session's attributes may be older. */
    @Example
    void theFloorOfASessionIsNotThatOfAnother() {
        SessionDelta delta = change(Map.of(
                Removals.FLOOR,
                StampedBytes.tombstone(new Stamp(5, 1)),
                "user",
                StampedBytes.of(new Stamp(6, 1), new byte[1])));
        assertEquals(
                Set.of("user"), delta.writtenTo(new SessionKey(8)).attributes().keySet());
    }

    @Example
    void namesAndRemovalsCountInTheSize() {
        StampedBytes value = StampedBytes.of(new Stamp(1, 1), new byte[100]);
        StampedBytes removal = StampedBytes.tombstone(new Stamp(1, 1));
        SessionReplica replica = SessionReplica.of(change(Map.of("n".repeat(1000), value, "removed", removal)));
        assertEquals(100, replica.valueBytes());
        assertEquals(100 + 64 + 1000 + 64 + 7, replica.attributeBytes());
        assertEquals(replica.attributeBytes(), replica.detach().attributeBytes());
    }

    private static SessionDelta change(Map<String, StampedBytes> attributes) {
        return new SessionDelta(KEY, false, null, null, null, attributes, null);
    }

    private static SessionReplica replica(List<SessionDelta> history) {
        SessionReplica replica = SessionReplica.of(history.get(0));
        for (SessionDelta delta : history.subList(1, history.size())) {
            replica = replica.merge(delta);
        }
        return replica;
    }

    @Provide
    Arbitrary<SessionDelta> deltas() {
        Arbitrary<Stamp> stamps = Combinators.combine(Arbitraries.longs().between(0, 4), Arbitraries.of(0L, 1L, -1L))
                .as(Stamp::new);
        Arbitrary<byte[]> bytes = Arbitraries.bytes()
                .between((byte) -1, (byte) 1)
                .array(byte[].class)
                .ofMaxSize(2);
        Arbitrary<StampedBytes> values = Combinators.combine(stamps, bytes.injectNull(0.4))
                .as((stamp, value) -> value == null ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, value));
        Arbitrary<Map<String, StampedBytes>> attributes =
                Arbitraries.maps(Arbitraries.of("a", "x", "y"), values).ofMaxSize(3);
        return Combinators.combine(attributes, stamps.injectNull(0.5)).as((written, floor) -> {
            Map<String, StampedBytes> all = new HashMap<>(written);
            if (floor != null) {
                all.put(Removals.FLOOR, StampedBytes.tombstone(floor));
            }
            return change(Map.copyOf(all));
        });
    }

    @Provide
    Arbitrary<List<SessionDelta>> histories() {
        return deltas().list().ofMinSize(1).ofMaxSize(6);
    }
}
