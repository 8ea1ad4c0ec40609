package io.understudy.replica;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;

/**
 * The laws every member's merge rests on. Stamps, names and values come from tiny domains, so that equal stamps with
 * different values, and every order of use and expiry, are common.
 */
@Tag("rules")
class MergePropertyTest {

    private static final SessionKey KEY = new SessionKey(7);

    @Property
    void joinDoesNotDependOnTheSide(@ForAll("deltas") SessionDelta a, @ForAll("deltas") SessionDelta b) {
        assertEquals(SessionDelta.join(a, b), SessionDelta.join(b, a));
    }

    @Property
    void joinDoesNotDependOnTheGrouping(
            @ForAll("deltas") SessionDelta a, @ForAll("deltas") SessionDelta b, @ForAll("deltas") SessionDelta c) {
        assertEquals(SessionDelta.join(SessionDelta.join(a, b), c), SessionDelta.join(a, SessionDelta.join(b, c)));
    }

    @Property
    void joiningADeltaAgainChangesNothing(@ForAll("deltas") SessionDelta a, @ForAll("deltas") SessionDelta b) {
        SessionDelta joined = SessionDelta.join(a, b);
        assertEquals(a, SessionDelta.join(a, a));
        assertEquals(joined, SessionDelta.join(joined, b));
    }

    /** More replaced ids than are remembered one by one. */
    @Property(tries = 3000)
    void joinsOfManyRenamesDependOnNeitherSideNorGrouping(
            @ForAll("renamed") SessionDelta a, @ForAll("renamed") SessionDelta b, @ForAll("renamed") SessionDelta c) {
        SessionDelta joined = SessionDelta.join(SessionDelta.join(a, b), c);
        assertEquals(joined, SessionDelta.join(a, SessionDelta.join(b, c)));
        assertEquals(joined, SessionDelta.join(SessionDelta.join(c, a), b));
        assertEquals(joined, SessionDelta.join(joined, b));
        assertTrue(joined.renames().replaced().size() <= Renames.MAX_REPLACED);
    }

    /** What was replaced anywhere finds nothing, and what nobody replaced goes on finding the session. */
    @Example
    void aChainOfRenamesLeavesOneIdWhateverTheOrder() {
        HybridClock clock = new HybridClock(() -> 1, 1);
        SessionReplica replica = SessionReplica.of(SessionDelta.created(KEY, clock.next(), "id0", 60));
        List<SessionDelta> history = new ArrayList<>(List.of(replica.asDelta()));
        for (int i = 1; i <= 3 * Renames.MAX_REPLACED; i++) {
            SessionDelta renamed = replica.renamed(clock, "id" + i);
            history.add(renamed);
            replica = replica.merge(renamed);
        }
        assertEquals(List.of("id48"), replica.ids());
        Collections.reverse(history);
        SessionReplica reversed = replica(history);
        assertEquals(replica, reversed);
        assertEquals(List.of("id48"), reversed.ids());
    }

    @Property
    void theEmptyDeltaIsNeutral(@ForAll("deltas") SessionDelta a) {
        assertEquals(a, SessionDelta.join(SessionDelta.empty(KEY), a));
        assertEquals(a, SessionDelta.join(a, SessionDelta.empty(KEY)));
    }

    @Example
    void deltasOfDifferentSessionsAreNotJoined() {
        SessionDelta other = SessionDelta.empty(new SessionKey(8));
        assertThrows(IllegalArgumentException.class, () -> SessionDelta.join(SessionDelta.empty(KEY), other));
    }

    @Property
    void everyOrderWithRepetitionsGivesTheSameReplica(
            @ForAll("histories") List<SessionDelta> history, @ForAll Random random) {
        List<SessionDelta> shuffled = new ArrayList<>(history);
        for (int i = random.nextInt(4); i > 0; i--) {
            shuffled.add(history.get(random.nextInt(history.size())));
        }
        Collections.shuffle(shuffled, random);
        SessionReplica inOrder = replica(history);
        SessionReplica reordered = replica(shuffled);
        assertEquals(inOrder, reordered);
        assertEquals(inOrder.hashCode(), reordered.hashCode());
        assertEquals(inOrder.digest(), reordered.digest());
    }

    /** They are counted along with each change. */
    @Property
    void theBytesAreThoseOfTheAttributes(@ForAll("histories") List<SessionDelta> history) {
        SessionReplica replica = replica(history);
        int values = 0;
        int names = 0;
        for (Map.Entry<String, StampedBytes> each :
                replica.asDelta().attributes().entrySet()) {
            byte[] value = each.getValue().bytes();
            values += value == null ? 0 : value.length;
            names += SessionReplica.nameBytes(each.getKey());
        }
        assertEquals(values, replica.valueBytes());
        assertEquals(values + names, replica.attributeBytes());
        SessionReplica detached = replica.detach();
        assertEquals(values + names, detached.attributeBytes());
        assertEquals(
                values + names, detached.attach(replica.asDelta().attributes()).attributeBytes());
    }

    @Property
    void aReplicaMergesAsDeltasAreJoined(
            @ForAll("histories") List<SessionDelta> history, @ForAll("deltas") SessionDelta delta) {
        SessionReplica replica = replica(history);
        assertEquals(
                SessionDelta.join(replica.asDelta(), delta),
                replica.merge(delta).asDelta());
    }

    @Property
    void aDeltaSeenBeforeGivesTheSameReplicaObject(@ForAll("histories") List<SessionDelta> history) {
        SessionReplica replica = replica(history);
        for (SessionDelta delta : history) {
            assertSame(replica, replica.merge(delta));
        }
    }

    @Property
    void everythingIsInTheDeltaThatCarriesTheReplicaToAnotherMember(
            @ForAll("histories") List<SessionDelta> here, @ForAll("histories") List<SessionDelta> there) {
        List<SessionDelta> all = Stream.concat(here.stream(), there.stream()).toList();
        assertEquals(replica(all), replica(here).merge(replica(there).asDelta()));
    }

    @Property
    void anInvalidationIsAbsorbing(
            @ForAll("histories") List<SessionDelta> before, @ForAll("histories") List<SessionDelta> after) {
        SessionReplica replica = replica(before).merge(SessionDelta.invalidated(KEY));
        for (SessionDelta delta : after) {
            replica = replica.merge(delta);
        }
        assertEquals(SessionReplica.of(SessionDelta.invalidated(KEY)), replica);
        assertEquals(List.of(true, false, false), List.of(replica.ended(), replica.live(), replica.parked()));
        assertEquals(replica, replica.hollow());
    }

    /** Compares with a fold that knows nothing of joins: the latest of each kind over the whole history. */
    @Property(tries = 3000)
    void anExpiryYieldsExactlyToALaterUse(@ForAll("histories") List<SessionDelta> history) {
        boolean invalidated = history.stream()
                .anyMatch(delta -> delta.ending() != null && delta.ending().invalidated());
        Stamp use = latest(history.stream().map(SessionDelta::lastUse));
        Stamp judged = latest(history.stream().map(SessionDelta::ending).map(e -> e == null ? null : e.judged()));
        boolean expired = judged != null && (use == null || use.compareTo(judged) <= 0);
        assertEquals(invalidated || expired, replica(history).ended());
    }

    /** A removal is a write like any other: the stamp decides, and only then the bytes, of which none are the least. */
    @Property(tries = 3000)
    void theLatestWriteOfEachAttributeWins(@ForAll("openHistories") List<SessionDelta> history) {
        Comparator<StampedBytes> order = Comparator.comparing(StampedBytes::stamp)
                .thenComparing(StampedBytes::bytes, Comparator.nullsFirst(Arrays::compareUnsigned));
        Map<String, StampedBytes> latest = new TreeMap<>();
        for (SessionDelta delta : history) {
            delta.attributes().forEach((name, value) -> {
                StampedBytes known = latest.get(name);
                if (known == null || order.compare(value, known) > 0) {
                    latest.put(name, value);
                }
            });
        }
        SessionReplica replica = replica(history);
        assertEquals(latest, replica.asDelta().attributes());
        latest.values().removeIf(value -> value.bytes() == null);
        assertEquals(latest, replica.attributes());
    }

    @Example
    void aLaterWriteBeatsARemovalAndALaterRemovalAWrite() {
        StampedBytes early = StampedBytes.of(new Stamp(1, 1), new byte[] {9});
        StampedBytes removed = StampedBytes.tombstone(new Stamp(2, 1));
        StampedBytes late = StampedBytes.of(new Stamp(3, 1), new byte[] {1});
        assertNull(replica(List.of(write(early), write(removed))).attributes().get("x"));
        assertEquals(
                late, replica(List.of(write(late), write(removed))).attributes().get("x"));
        assertEquals(3, WriteTimes.of(replica(List.of(write(late), write(removed))), "x"));
    }

    @Example
    void ofEqualStampsBothSidesChooseTheGreaterBytes() {
        Stamp stamp = new Stamp(1, 1);
        SessionDelta low = write(StampedBytes.of(stamp, new byte[] {0x7F}));
        SessionDelta high = write(StampedBytes.of(stamp, new byte[] {(byte) 0x80}));
        SessionDelta removed = write(StampedBytes.tombstone(stamp));
        for (List<SessionDelta> order : List.of(List.of(low, high, removed), List.of(removed, high, low))) {
            assertArrayEquals(
                    new byte[] {(byte) 0x80}, replica(order).attribute("x").bytes());
        }
    }

    @Example
    void originsAreComparedUnsignedSoThatEveryMemberOrdersThemAlike() {
        StampedBytes a = StampedBytes.of(new Stamp(1, -1), new byte[] {1});
        StampedBytes b = StampedBytes.of(new Stamp(1, 1), new byte[] {2});
        assertEquals(a, replica(List.of(write(a), write(b))).attribute("x"));
    }

    @Property(tries = 3000)
    void digestsAreEqualExactlyWhenTheStampsAre(
            @ForAll("histories") List<SessionDelta> one, @ForAll("histories") List<SessionDelta> other) {
        SessionReplica a = replica(one);
        SessionReplica b = replica(other);
        assertEquals(stamps(a).equals(stamps(b)), a.digest() == b.digest(), () -> a + " and " + b);
    }

    @Property(tries = 3000)
    void aSingleChangeChangesTheDigest(
            @ForAll("openHistories") List<SessionDelta> history, @ForAll("deltas") SessionDelta change) {
        SessionReplica before = replica(history);
        SessionReplica after = before.merge(change);
        assertEquals(stamps(before).equals(stamps(after)), before.digest() == after.digest());
    }

    @Example
    void completeSessionWithoutFieldsDiffersFromParkedOne() {
        SessionDelta parked = new SessionDelta(KEY, false, null, null, null, Map.of(), null);
        SessionDelta complete = new SessionDelta(KEY, true, null, null, null, Map.of(), null);
        assertNotEquals(
                SessionReplica.of(parked).digest(), SessionReplica.of(complete).digest());
    }

    @Example
    void namesWithOneHashCodeAreDifferentAttributesInADigest() {
        StampedBytes value = StampedBytes.of(new Stamp(1, 1), new byte[] {1});
        assertNotEquals(
                SessionReplica.of(write("Aa", value)).digest(),
                SessionReplica.of(write("BB", value)).digest());
    }

    @Property
    void aUseIsNotInTheDigestUnlessASessionGoesOnByIt(
            @ForAll("openHistories") List<SessionDelta> history, @ForAll("stamps") Stamp use) {
        SessionReplica replica = replica(history);
        SessionReplica used = replica.merge(SessionDelta.touched(KEY, use));
        if (replica.ended() && !used.ended()) {
            assertNotEquals(replica.digest(), used.digest(), "what is over here goes on there");
        } else {
            assertEquals(replica.digest(), used.digest());
        }
    }

    @Property
    void aSessionIsExactlyOneOfParkedEndedOrComplete(@ForAll("histories") List<SessionDelta> history) {
        SessionReplica replica = replica(history);
        boolean complete = replica.asDelta().complete() && !replica.ended();
        assertEquals(
                1,
                Stream.of(replica.parked(), replica.ended(), complete)
                        .filter(holds -> holds)
                        .count());
        assertEquals(complete && replica.id() != null, replica.live());
        assertEquals(
                history.stream().anyMatch(SessionDelta::complete),
                replica.asDelta().complete());
    }

    @Property
    void aHollowExpiryYieldsToALaterUseAsAParkedSession(
            @ForAll("stamps") Stamp judged, @ForAll("deltas") SessionDelta whole) {
        SessionReplica expired =
                SessionReplica.of(whole).merge(SessionDelta.expired(KEY, new Stamp(9, judged.origin())));
        SessionReplica hollow = expired.hollow();
        assertEquals(Map.of(), hollow.attributes());
        SessionReplica used = hollow.merge(SessionDelta.touched(KEY, new Stamp(10, judged.origin())));
        boolean invalidated = expired.asDelta().ending().invalidated();
        assertEquals(!invalidated, used.parked());
        assertEquals(invalidated, used.ended());
    }

    @Example
    void aSessionThatIsNotOverCannotBeHollowed() {
        SessionReplica replica = SessionReplica.of(SessionDelta.touched(KEY, new Stamp(1, 1)));
        assertThrows(IllegalStateException.class, replica::hollow);
    }

    private static SessionReplica replica(List<SessionDelta> history) {
        SessionReplica replica = SessionReplica.of(history.get(0));
        for (SessionDelta delta : history.subList(1, history.size())) {
            replica = replica.merge(delta);
        }
        return replica;
    }

    private static SessionDelta write(StampedBytes value) {
        return write("x", value);
    }

    private static SessionDelta write(String name, StampedBytes value) {
        return new SessionDelta(KEY, false, null, null, null, Map.of(name, value), null);
    }

    private static Stamp latest(Stream<Stamp> stamps) {
        return stamps.filter(Objects::nonNull).max(Comparator.naturalOrder()).orElse(null);
    }

    /** What a digest promises to cover. */
    private static List<Object> stamps(SessionReplica replica) {
        SessionDelta state = replica.asDelta();
        if (replica.ended()) {
            return Arrays.asList(true, state.ending());
        }
        Map<String, String> attributes = new TreeMap<>();
        state.attributes()
                .forEach((name, value) -> attributes.put(name, value.stamp() + " " + (value.bytes() == null)));
        return Arrays.asList(
                state.complete(),
                state.id() == null ? null : state.id().stamp(),
                state.maxInactiveSeconds() == null
                        ? null
                        : state.maxInactiveSeconds().stamp(),
                state.ending(),
                state.created(),
                state.renames().replaced(),
                state.renames().floor(),
                state.renames().rivals().stream().map(Stamped::stamp).toList(),
                attributes);
    }

    @Provide
    Arbitrary<Stamp> stamps() {
        return Combinators.combine(Arbitraries.longs().between(0, 3), Arbitraries.of(0L, 1L, -1L))
                .as(Stamp::new);
    }

    private Arbitrary<StampedBytes> values() {
        Arbitrary<byte[]> bytes = Arbitraries.bytes()
                .between((byte) -1, (byte) 1)
                .array(byte[].class)
                .ofMaxSize(2);
        return Combinators.combine(stamps(), bytes.injectNull(0.3))
                .as((stamp, value) -> value == null ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, value));
    }

    @Provide
    Arbitrary<SessionDelta> renamed() {
        Arbitrary<Stamp> many = Arbitraries.longs().between(0, 40).map(time -> new Stamp(time, 1));
        Arbitrary<Stamped<String>> ids =
                Combinators.combine(many, Arbitraries.of("s1", "s2")).as(Stamped::new);
        return Combinators.combine(
                        ids.injectNull(0.3),
                        ids.list().ofMaxSize(4),
                        many.list().ofMaxSize(20),
                        many.injectNull(0.7))
                .as((id, rivals, replaced, floor) -> new SessionDelta(
                        KEY, false, id, null, null, Map.of(), null, null, Renames.read(rivals, replaced, floor)));
    }

    private Arbitrary<Renames> renames() {
        Arbitrary<Stamped<String>> rival =
                Combinators.combine(stamps(), Arbitraries.of("s1", "s2", "s3")).as(Stamped::new);
        return Combinators.combine(rival.list().ofMaxSize(2), stamps().list().ofMaxSize(3), stamps().injectNull(0.8))
                .as(Renames::read);
    }

    /** Deltas of a session that was not invalidated. */
    private Arbitrary<SessionDelta> open() {
        Arbitrary<Map<String, StampedBytes>> attributes =
                Arbitraries.maps(Arbitraries.of("x", "y", "Aa", "BB"), values()).ofMaxSize(3);
        return Combinators.combine(
                        Arbitraries.of(true, false),
                        Combinators.combine(stamps(), Arbitraries.of("s1", "s2"))
                                .as((stamp, id) -> new Stamped<>(stamp, id))
                                .injectNull(0.4),
                        Combinators.combine(stamps(), Arbitraries.of(0, 60))
                                .as((stamp, seconds) -> new Stamped<>(stamp, seconds))
                                .injectNull(0.6),
                        stamps().injectNull(0.4),
                        attributes,
                        stamps().map(Ending::expired).injectNull(0.7),
                        Combinators.combine(stamps().injectNull(0.5), renames()).as(Tuple::of))
                .as((complete, id, max, use, values, ending, more) -> new SessionDelta(
                        KEY, complete, id, max, use, Map.copyOf(values), ending, more.get1(), more.get2()));
    }

    @Provide
    Arbitrary<SessionDelta> deltas() {
        return Arbitraries.frequencyOf(
                Tuple.of(12, open()), Tuple.of(1, Arbitraries.just(SessionDelta.invalidated(KEY))));
    }

    @Provide
    Arbitrary<List<SessionDelta>> histories() {
        return deltas().list().ofMinSize(1).ofMaxSize(6);
    }

    @Provide
    Arbitrary<List<SessionDelta>> openHistories() {
        return open().list().ofMinSize(1).ofMaxSize(6);
    }
}
