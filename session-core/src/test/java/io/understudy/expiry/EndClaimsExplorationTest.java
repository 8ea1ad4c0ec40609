package io.understudy.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.expiry.EndWorld.Change.Crash;
import io.understudy.expiry.EndWorld.Change.Join;
import io.understudy.expiry.EndWorld.Change.Merge;
import io.understudy.expiry.EndWorld.Change.Split;
import io.understudy.expiry.EndWorld.Event;
import io.understudy.expiry.EndWorld.Scenario;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every order in which things can happen, in small scenarios. */
class EndClaimsExplorationTest {

    private record Explored(int states, int mostFired) {}

    /** A scenario, and how often listeners may be told at most. */
    record Case(Scenario scenario, int mostFired) {}

    private static Case once(
            int members, List<Integer> expiries, List<Integer> logouts, List<Integer> uses, int giveUps) {
        Set<Integer> all = members == 2 ? Set.of(0, 1) : Set.of(0, 1, 2);
        return new Case(new Scenario(members, all, expiries, logouts, uses, giveUps, List.of()), 1);
    }

    static Stream<Case> cases() {
        Set<Integer> two = Set.of(0, 1);
        Set<Integer> three = Set.of(0, 1, 2);
        Split split = new Split(Set.of(0), Set.of(1));
        return Stream.of(
                // No failures: one tells, whoever wants to.
                once(2, List.of(1, 1), List.of(0, 0), List.of(1, 1), 1),
                once(2, List.of(1, 0), List.of(1, 1), List.of(0, 1), 0),
                once(2, List.of(0, 0), List.of(2, 2), List.of(0, 0), 1),
                once(3, List.of(0, 0, 0), List.of(1, 1, 0), List.of(0, 0, 0), 0),
                once(3, List.of(1, 0, 0), List.of(0, 1, 0), List.of(0, 0, 0), 0),
                once(3, List.of(1, 0, 0), List.of(0, 0, 0), List.of(0, 1, 1), 0),
                // Who claims dies: its heir tells again.
                new Case(
                        new Scenario(
                                3,
                                three,
                                List.of(1, 0, 0),
                                List.of(0, 0, 0),
                                List.of(0, 1, 0),
                                0,
                                List.of(new Crash(0))),
                        2),
                new Case(
                        new Scenario(
                                3,
                                three,
                                List.of(0, 0, 0),
                                List.of(1, 0, 0),
                                List.of(0, 1, 0),
                                0,
                                List.of(new Crash(0))),
                        2),
                new Case(
                        new Scenario(2, two, List.of(1, 1), List.of(0, 0), List.of(0, 1), 0, List.of(new Crash(0))), 2),
                // Who votes dies.
                new Case(
                        new Scenario(
                                3,
                                three,
                                List.of(1, 0, 0),
                                List.of(0, 0, 0),
                                List.of(0, 1, 0),
                                0,
                                List.of(new Crash(2))),
                        1),
                // A member joins.
                new Case(
                        new Scenario(
                                3, two, List.of(1, 0, 0), List.of(0, 0, 0), List.of(0, 1, 1), 0, List.of(new Join(2))),
                        1),
                new Case(
                        new Scenario(
                                3, two, List.of(1, 0, 0), List.of(0, 0, 1), List.of(0, 0, 0), 0, List.of(new Join(2))),
                        1),
                // Each side for itself.
                new Case(
                        new Scenario(
                                2, two, List.of(1, 1), List.of(0, 0), List.of(0, 0), 0, List.of(split, new Merge())),
                        2));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void oneTellsAndNobodyUsesItAfterwardsInAnyOrderOfEvents(Case tried) {
        Explored explored = explore(tried.scenario());
        assertTrue(explored.states() > 100, explored + " in " + tried);
        assertEquals(tried.mostFired(), explored.mostFired(), explored + " in " + tried);
    }

    private static Explored explore(Scenario scenario) {
        Set<Long> seen = new HashSet<>();
        Deque<List<Event>> open = new ArrayDeque<>();
        open.push(List.of());
        int mostFired = 0;
        while (!open.isEmpty()) {
            List<Event> path = open.pop();
            EndWorld world = replay(scenario, path);
            mostFired = Math.max(mostFired, world.fired());
            for (Event event : world.next()) {
                List<Event> longer = new ArrayList<>(path);
                longer.add(event);
                if (seen.add(fingerprint(replay(scenario, longer).toString()))) {
                    open.push(longer);
                }
            }
        }
        return new Explored(seen.size(), mostFired);
    }

    private static EndWorld replay(Scenario scenario, List<Event> path) {
        EndWorld world = new EndWorld(scenario);
        try {
            path.forEach(world::apply);
            world.checkNoPromiseIsForgotten();
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + " after " + path, e);
        }
        return world;
    }

    /** 64 bits: of a million states two are taken for one with a probability of 1 to 40 million. */
    private static long fingerprint(String text) {
        long hash = 1125899906842597L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
