package io.understudy.lock;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.lock.LockWorld.Network;
import io.understudy.lock.LockWorld.Scenario;
import io.understudy.testkit.EveryOrder;
import io.understudy.testkit.Sides.Change.Crash;
import io.understudy.testkit.Sides.Change.Join;
import io.understudy.testkit.Sides.Change.Merge;
import io.understudy.testkit.Sides.Change.Split;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every order in which things can happen, in small scenarios. */
@Tag("rules")
class SessionLocksExplorationTest {

    /** What was explored. */
    private record Explored(int states, long mostHolders) {}

    static Stream<Scenario> scenarios() {
        Set<Integer> two = Set.of(0, 1);
        Set<Integer> three = Set.of(0, 1, 2);
        Split split = new Split(Set.of(0), Set.of(1));
        return Stream.of(
                // No failures: requests, and clients that give up.
                new Scenario(0, 0, 2, two, List.of(2, 2), 1, 1, 0, List.of()),
                new Scenario(0, 0, 3, three, List.of(2, 1, 1), 1, 0, 0, List.of()),
                // A member is not sure of what it did and told, or of what it heard.
                new Scenario(0, 0, 2, two, List.of(1, 2), 0, 0, 2, List.of()),
                new Scenario(0, 0, 2, two, List.of(1, 1), 1, 0, 2, List.of()),
                new Scenario(0, 0, 3, three, List.of(1, 1, 1), 0, 0, 1, List.of()),
                // The home dies; a holder dies; both, as one member or as two.
                new Scenario(0, 0, 3, three, List.of(0, 1, 2), 0, 0, 0, List.of(new Crash(0))),
                new Scenario(0, 0, 3, three, List.of(1, 1, 1), 0, 0, 0, List.of(new Crash(1))),
                new Scenario(0, 0, 3, three, List.of(1, 1, 1), 0, 0, 0, List.of(new Crash(0), new Crash(1))),
                new Scenario(0, 0, 2, two, List.of(1, 2), 1, 1, 0, List.of(new Crash(0))),
                // A member joins: the home stays.
                new Scenario(1, 1, 3, two, List.of(1, 2, 0), 0, 0, 0, List.of(new Join(2))),
                // Sides lock for themselves, and are merged.
                new Scenario(0, 0, 2, two, List.of(2, 1), 0, 0, 0, List.of(split, new Merge())),
                new Scenario(0, 0, 2, two, List.of(1, 1), 1, 1, 0, List.of(split, new Merge())));
    }

    /** Those that take a second and more. */
    static Stream<Scenario> largeScenarios() {
        Set<Integer> two = Set.of(0, 1);
        Set<Integer> three = Set.of(0, 1, 2);
        Split oneOfThree = new Split(Set.of(0), Set.of(1, 2));
        return Stream.of(
                // The home dies.
                new Scenario(0, 0, 3, three, List.of(1, 1, 1), 1, 0, 0, List.of(new Crash(0))),
                // A member joins: the home moves to it.
                new Scenario(0, 2, 3, two, List.of(1, 1, 1), 0, 0, 0, List.of(new Join(2))),
                new Scenario(0, 2, 3, two, List.of(1, 1, 0), 0, 0, 0, List.of(new Join(2), new Crash(2))),
                new Scenario(0, 2, 3, two, List.of(1, 1, 0), 0, 0, 0, List.of(new Join(2), new Crash(0))),
                // Sides lock for themselves, and are merged.
                new Scenario(1, 1, 3, three, List.of(1, 1, 0), 0, 0, 0, List.of(oneOfThree, new Merge())));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void oneHolderAndNobodyForgottenInAnyOrderOfEvents(Scenario scenario) {
        check(scenario);
    }

    static void check(Scenario scenario) {
        Explored explored = explore(scenario, Network.IN_ORDER);
        assertTrue(explored.states() > 1000, explored + " in " + scenario);
        boolean split = scenario.changes().stream().anyMatch(Split.class::isInstance);
        assertTrue(explored.mostHolders() == (split ? 2 : 1), explored + " in " + scenario);
    }

    /** The rules need messages in order and none lost: that the exploration notices shows that it looks. */
    @Test
    void theExplorationFindsWhatAnUnreliableNetworkBreaks() {
        Scenario scenario = new Scenario(0, 0, 2, Set.of(0, 1), List.of(1, 2), 1, 0, 0, List.of());
        assertThrows(AssertionError.class, () -> explore(scenario, Network.UNORDERED));
        assertThrows(AssertionError.class, () -> explore(scenario, Network.LOSING));
    }

    private static Explored explore(Scenario scenario, Network network) {
        AtomicLong mostHolders = new AtomicLong();
        int states = EveryOrder.explore(
                () -> new LockWorld(scenario, network),
                world -> mostHolders.accumulateAndGet(world.holders(), Math::max));
        return new Explored(states, mostHolders.get());
    }
}
