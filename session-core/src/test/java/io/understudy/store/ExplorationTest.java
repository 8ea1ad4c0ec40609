package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.store.Exploration.Request;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The small form of the exploration, and what it finds when one rule is broken. */
@Tag("rules")
class ExplorationTest {

    private static final long HOUR = 3_600_000;
    private static final Set<Request> ALL = EnumSet.allOf(Request.class);

    @Test
    void everyShortScheduleOfTwoMembersKeepsTheLaws() {
        long states = new Exploration(MemberRules.PRODUCT, ALL, 4, 0, 0).run();
        assertTrue(states > 10_000, () -> states + " states");
    }

    @ParameterizedTest
    @ValueSource(longs = {-HOUR, HOUR})
    void soDoShorterOnesIfTheirClocksDiffer(long skew) {
        long states = new Exploration(MemberRules.PRODUCT, ALL, 3, 0, skew).run();
        assertTrue(states > 1000, () -> states + " states");
    }

    @Test
    void everyShortScheduleOfThreeMembersKeepsTheLaws() {
        long states = new Exploration(MemberRules.PRODUCT, ALL, 2, 0, -HOUR, HOUR).run();
        assertTrue(states > 1000, () -> states + " states");
    }

    @Test
    void sharesTogetherAreAllSchedules() {
        long states = new Exploration(MemberRules.PRODUCT, ALL, 3, 0, 0).run();
        long inShares = 0;
        for (int share = 0; share < 4; share++) {
            long found = new Exploration(MemberRules.PRODUCT, ALL, 3, 0, 0).run(1, share, 4);
            assertTrue(found < states, () -> found + " of " + states + " states in one share");
            inShares += found;
        }
        long sum = inShares;
        assertTrue(sum >= states, () -> sum + " of " + states + " states in all shares");
    }

    @Test
    void sharesThatKnowOfEachOtherEnterEachStateOnce() {
        Exploration whole = new Exploration(MemberRules.PRODUCT, ALL, 3, 0, 0);
        long states = whole.run();
        SeenStates seen = new SeenStates();
        long steps = 0;
        for (int share = 0; share < 4; share++) {
            Exploration part = new Exploration(MemberRules.PRODUCT, ALL, 3, seen, 0, 0);
            part.run(1, share, 4);
            steps += part.taken();
        }
        long taken = steps;
        assertEquals(states, seen.size());
        assertTrue(taken < 2 * whole.taken(), () -> taken + " steps instead of " + whole.taken());
    }

    @Test
    void aTombstoneThatDoesNotWinIsFound() {
        assertFound("invalidated", new MemberRules() {
            @Override
            Merged merge(ReplicaStore store, SessionDelta delta, long ageMillis, long idleMillis) {
                StoredReplica before = store.get(delta.key());
                Merged merged = store.merge(delta, ageMillis, idleMillis);
                boolean late = before != null && before.replica().invalidated() && delta.complete();
                return late ? replaced(merged, SessionReplica.of(delta)) : merged;
            }
        });
    }

    @Test
    void anUpdateThatCreatesASessionIsFound() {
        assertFound("part of a session", new MemberRules() {
            @Override
            Merged merge(ReplicaStore store, SessionDelta delta, long ageMillis, long idleMillis) {
                boolean upsert =
                        store.get(delta.key()) == null && !delta.attributes().isEmpty();
                return store.merge(upsert ? whole(delta) : delta, ageMillis, idleMillis);
            }
        });
    }

    private static SessionDelta whole(SessionDelta delta) {
        Stamp stamp = new Stamp(0, 0);
        return new SessionDelta(
                delta.key(),
                true,
                new Stamped<>(stamp, "a"),
                null,
                delta.lastUse(),
                delta.attributes(),
                delta.ending());
    }

    @Test
    void aStampBelowTheOverwrittenOneIsFound() {
        assertFound(
                "a write beats what it overwrites",
                new MemberRules() {
                    @Override
                    Stamp stampOfWrite(HybridClock clock, SessionReplica replica, String attribute) {
                        return clock.next();
                    }
                },
                0,
                -HOUR);
    }

    @Test
    void anExpiryThatDoesNotYieldToALaterUseIsFound() {
        assertFound("used after the use its expiry judged", new MemberRules() {
            @Override
            Merged merge(ReplicaStore store, SessionDelta delta, long ageMillis, long idleMillis) {
                Merged merged = store.merge(delta, ageMillis, idleMillis);
                SessionDelta held = merged.after().replica().asDelta();
                return held.ending() == null || held.ended()
                        ? merged
                        : replaced(
                                merged,
                                SessionReplica.of(new SessionDelta(
                                        held.key(), held.complete(), held.id(), null, null, Map.of(), held.ending())));
            }
        });
    }

    /** What the whole exploration found: of replicas that one expiry ended, one holds a write that the other missed. */
    @Test
    void aSessionThatIsBroughtBackWithoutAskingAllIsFound() {
        bringBack(MemberRules.PRODUCT);
        MemberRules broken = new MemberRules() {
            @Override
            boolean asksAll(Merged merged) {
                return false;
            }
        };
        Laws.BrokenException found = assertThrows(Laws.BrokenException.class, () -> bringBack(broken));
        assertTrue(found.getMessage().contains("the same on all"), found.getMessage());
    }

    private static void bringBack(MemberRules rules) {
        Steps steps = new Steps(rules, new long[3]);
        World world = steps.begin();
        steps.event();
        steps.write(0, false);
        deliver(steps, world, 0, 1);
        steps.event();
        steps.rename(1);
        deliver(steps, world, 0, 2);
        deliver(steps, world, 0, 2);
        steps.event();
        steps.crash(0);
        steps.event();
        steps.expire(2);
        deliver(steps, world, 2, 0);
        steps.compareAll();
        while (!world.quiet()) {
            steps.deliver(0, false);
        }
        Laws.quiet(world);
    }

    private static void deliver(Steps steps, World world, int from, int to) {
        int next = 0;
        while (world.underWay.get(next).from() != from
                || world.underWay.get(next).to() != to) {
            next++;
        }
        steps.deliver(next, false);
    }

    private static Merged replaced(Merged merged, SessionReplica replica) {
        StoredReplica after = merged.after();
        return new Merged(
                merged.before(),
                new StoredReplica(replica, after.createdAt(), after.usedAt(), after.endedAt()),
                0,
                false,
                false,
                merged.shared());
    }

    private static void assertFound(String law, MemberRules broken, long... skew) {
        long[] clocks = skew.length == 0 ? new long[2] : skew;
        AssertionError found = assertThrows(AssertionError.class, () -> new Exploration(broken, ALL, 4, clocks).run());
        assertTrue(found.getMessage().contains(law), found.getMessage());
    }
}
