package io.understudy.store;

import static io.understudy.store.Deltas.KEY;
import static io.understudy.store.Deltas.created;
import static io.understudy.store.Deltas.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.WriteTimes;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two sessions that got one id. */
@Tag("rules")
class UnitedSessionsTest {

    private static final long HORIZON_MILLIS = 24L * 60 * 60 * 1000;

    private final HandClock clock = new HandClock();
    private final ReplicaStore store = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));

    @Test
    void ofTwoSessionsWithOneIdTheEarlierKeepsItWhicheverComesFirst() {
        SessionKey other = new SessionKey(9);
        SessionDelta early = created(other, 5, "s");
        SessionDelta late = created(KEY, 6, "s");
        for (List<SessionDelta> order : List.of(List.of(early, late), List.of(late, early))) {
            ReplicaStore member = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));
            assertEquals(List.of(), member.merge(order.get(0), 0, 0).shared());
            assertEquals(List.of("s"), member.merge(order.get(1), 0, 0).shared());
            member.merge(write(KEY, "x", 7), 0, 0);
            member.merge(write(other, "x", 6), 0, 0);
            member.merge(write(other, "y", 6), 0, 0);
            assertEquals(other, member.find("s").replica().key());
            List<SessionDelta> united = member.united("s");
            united.forEach(delta -> member.merge(delta, 0, 0));
            united.forEach(delta -> member.merge(delta, 0, 0));
            assertEquals(other, member.find("s").replica().key());
            assertTrue(member.get(KEY).replica().invalidated());
            assertEquals(7, WriteTimes.of(member.find("s").replica(), "x"), "the later write of both");
            assertEquals(6, WriteTimes.of(member.find("s").replica(), "y"));
            assertEquals(1, member.liveCount());
            assertEquals(List.of(), member.united("s"));
        }
    }

    @Test
    void whatWasWrittenToASessionThatGoesOnAsAnotherReachesThat() {
        SessionKey other = new SessionKey(9);
        ReplicaStore uniting = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));
        ReplicaStore writing = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));
        for (ReplicaStore member : List.of(uniting, writing)) {
            member.merge(created(other, 5, "s"), 0, 0);
            member.merge(created(KEY, 6, "s"), 0, 0);
        }
        SessionDelta early = write(KEY, "early", 7);
        SessionDelta late = write(KEY, "late", 8);
        writing.merge(early, 0, 0); // Its news comes to the other member after that has united them.
        List<SessionDelta> united = uniting.united("s");
        for (ReplicaStore member : List.of(uniting, writing)) {
            united.forEach(delta -> member.merge(delta, 0, 0));
            assertTrue(member.get(KEY).replica().invalidated());
        }
        writing.merge(late, 0, 0);
        uniting.merge(early, 0, 0);
        uniting.merge(late, 0, 0);
        for (ReplicaStore member : List.of(uniting, writing)) {
            assertEquals(7, WriteTimes.of(member.find("s").replica(), "early"));
            assertEquals(8, WriteTimes.of(member.find("s").replica(), "late"));
        }
        assertEquals(
                uniting.get(other).replica().digest(),
                writing.get(other).replica().digest());
    }

    @Test
    void whatWaitsToBeSentBesideATombstoneReachesTheSessionItGoesOnAs() {
        SessionKey other = new SessionKey(9);
        SessionDelta written = write(KEY, "x", 7);
        SessionDelta united = SessionDelta.united(KEY, other);
        for (SessionDelta sent : List.of(written.followedBy(united), united.followedBy(written))) {
            ReplicaStore member = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));
            member.merge(created(other, 5, "s"), 0, 0);
            member.merge(created(KEY, 6, "s"), 0, 0);
            member.merge(sent, 0, 0);
            assertEquals(7, WriteTimes.of(member.find("s").replica(), "x"));
            assertTrue(member.get(KEY).replica().attributes().isEmpty(), "the tombstone holds nothing");
        }
        SessionDelta over = written.followedBy(SessionDelta.invalidated(KEY));
        assertTrue(over.attributes().isEmpty());
    }

    /**
     * The session that keeps the id may be an attacker's, who planted it, and the one that ends a victim's. A login
     * that is handed on would be found by the id that it replaced.
     */
    @Test
    void aLoginThatRacesWithTheUnionIsFoundByNobodyWhateverComesFirst() {
        SessionKey other = new SessionKey(9);
        SessionDelta victims = created(KEY, 6, "planted");
        SessionReplica begun = SessionReplica.of(victims);
        SessionDelta login = begun.renamed(new HybridClock(() -> 1, 1), "login");
        SessionDelta user = write(KEY, "user", 8);
        SessionDelta united = SessionDelta.united(KEY, other);
        SessionDelta late = SessionReplica.of(united).renamed(new HybridClock(() -> 1, 1), "login");
        List<List<SessionDelta>> orders = List.of(
                List.of(victims, login, user, united),
                List.of(victims, united, login, user),
                List.of(united, victims, login, user),
                List.of(victims, login.followedBy(user).followedBy(united)),
                List.of(victims, united.followedBy(login), user),
                List.of(victims, login.followedBy(united), user),
                List.of(victims.followedBy(login), united, user),
                List.of(victims.followedBy(login).followedBy(united), user),
                List.of(victims, united, late, user),
                List.of(victims, united.followedBy(late).followedBy(user)));
        for (List<SessionDelta> order : orders) {
            ReplicaStore member = new ReplicaStore(clock, new Tombstones(HORIZON_MILLIS, 3));
            member.merge(created(other, 5, "planted"), 0, 0);
            order.forEach(delta -> member.merge(delta, 0, 0));
            assertNull(member.find("planted"));
            assertNull(member.find("login"));
            assertTrue(member.get(other).replica().invalidated());
            assertEquals(0, member.liveCount());
        }
    }

    /** A member that makes one session of both knows of the login by then, or learns of it. */
    @Test
    void whoUnitesSessionsOfWhichOneWasRenamedEndsBoth() {
        SessionKey other = new SessionKey(9);
        SessionReplica begun = SessionReplica.of(created(KEY, 6, "s"));
        store.merge(created(other, 5, "s"), 0, 0);
        store.merge(begun.asDelta(), 0, 0);
        List<SessionDelta> united = store.united("s");
        store.merge(begun.renamed(new HybridClock(() -> 1, 1), "login"), 0, 0);
        united.forEach(delta -> store.merge(delta, 0, 0));
        assertEquals(0, store.liveCount());
    }

    @Test
    void whatBeganAndEndedInOneMessageIsNoRename() {
        SessionKey other = new SessionKey(9);
        store.merge(created(other, 5, "s"), 0, 0);
        SessionDelta begun = created(KEY, 6, "s").followedBy(write(KEY, "x", 7));
        store.merge(begun.followedBy(SessionDelta.united(KEY, other)), 0, 0);
        assertEquals(7, WriteTimes.of(store.find("s").replica(), "x"));
    }

    @Test
    void sessionsThatGoOnAsEachOtherInACircleEnd() {
        SessionKey other = new SessionKey(9);
        store.merge(SessionDelta.united(KEY, other), 0, 0);
        store.merge(SessionDelta.united(other, KEY), 0, 0);
        store.merge(write(KEY, "x", 7), 0, 0);
        assertEquals(0, store.liveCount());
    }
}
