package io.understudy.lock;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.lock.LockWorld.Change.Crash;
import io.understudy.lock.LockWorld.Change.Join;
import io.understudy.lock.LockWorld.Change.Merge;
import io.understudy.lock.LockWorld.Change.Split;
import io.understudy.lock.LockWorld.Event;
import io.understudy.lock.LockWorld.Network;
import io.understudy.lock.LockWorld.Scenario;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every order in which things can happen, in small scenarios. */
class SessionLocksExplorationTest {

    /** What was explored. */
    private record Explored(int states, long mostHolders) {}

    static Stream<Scenario> scenarios() {
        Set<Integer> two = Set.of(0, 1);
        Set<Integer> three = Set.of(0, 1, 2);
        Split split = new Split(Set.of(0), Set.of(1));
        return Stream.of(
                // No failures: requests, and clients that give up.
                new Scenario(0, 0, 2, two, List.of(2, 2), 1, 1, List.of()),
                new Scenario(0, 0, 3, three, List.of(2, 1, 1), 1, 0, List.of()),
                // The home dies; a holder dies; both, as one member or as two.
                new Scenario(0, 0, 3, three, List.of(0, 1, 2), 0, 0, List.of(new Crash(0))),
                new Scenario(0, 0, 3, three, List.of(1, 1, 1), 1, 0, List.of(new Crash(0))),
                new Scenario(0, 0, 3, three, List.of(1, 1, 1), 0, 0, List.of(new Crash(1))),
                new Scenario(0, 0, 3, three, List.of(1, 1, 1), 0, 0, List.of(new Crash(0), new Crash(1))),
                new Scenario(0, 0, 2, two, List.of(1, 2), 1, 1, List.of(new Crash(0))),
                // A member joins: the home moves to it, or stays.
                new Scenario(0, 2, 3, two, List.of(1, 1, 1), 0, 0, List.of(new Join(2))),
                new Scenario(1, 1, 3, two, List.of(1, 2, 0), 0, 0, List.of(new Join(2))),
                new Scenario(0, 2, 3, two, List.of(1, 1, 0), 0, 0, List.of(new Join(2), new Crash(2))),
                new Scenario(0, 2, 3, two, List.of(1, 1, 0), 0, 0, List.of(new Join(2), new Crash(0))),
                // Sides lock for themselves, and are merged.
                new Scenario(0, 0, 2, two, List.of(2, 1), 0, 0, List.of(split, new Merge())),
                new Scenario(0, 0, 2, two, List.of(1, 1), 1, 1, List.of(split, new Merge())),
                new Scenario(
                        1,
                        1,
                        3,
                        three,
                        List.of(1, 1, 0),
                        0,
                        0,
                        List.of(new Split(Set.of(0), Set.of(1, 2)), new Merge())));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void oneHolderAndNobodyForgottenInAnyOrderOfEvents(Scenario scenario) {
        Explored explored = explore(scenario, Network.IN_ORDER);
        assertTrue(explored.states() > 1000, explored + " in " + scenario);
        boolean split = scenario.changes().stream().anyMatch(Split.class::isInstance);
        assertTrue(explored.mostHolders() == (split ? 2 : 1), explored + " in " + scenario);
    }

    /** The rules need messages in order and none lost: that the exploration notices shows that it looks. */
    @Test
    void theExplorationFindsWhatAnUnreliableNetworkBreaks() {
        Scenario scenario = new Scenario(0, 0, 2, Set.of(0, 1), List.of(1, 2), 1, 0, List.of());
        assertThrows(AssertionError.class, () -> explore(scenario, Network.UNORDERED));
        assertThrows(AssertionError.class, () -> explore(scenario, Network.LOSING));
    }

    private static Explored explore(Scenario scenario, Network network) {
        Set<Long> seen = new HashSet<>();
        Deque<List<Event>> open = new ArrayDeque<>();
        open.push(List.of());
        long mostHolders = 0;
        while (!open.isEmpty()) {
            List<Event> path = open.pop();
            LockWorld world = replay(scenario, network, path);
            mostHolders = Math.max(mostHolders, world.holders());
            for (Event event : world.next()) {
                List<Event> longer = new ArrayList<>(path);
                longer.add(event);
                if (seen.add(fingerprint(replay(scenario, network, longer).toString()))) {
                    open.push(longer);
                }
            }
        }
        return new Explored(seen.size(), mostHolders);
    }

    private static LockWorld replay(Scenario scenario, Network network, List<Event> path) {
        LockWorld world = new LockWorld(scenario, network);
        try {
            path.forEach(world::apply);
            world.checkNobodyIsForgotten();
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
