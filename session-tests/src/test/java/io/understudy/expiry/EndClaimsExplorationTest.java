package io.understudy.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.EveryOrder;
import io.understudy.testkit.Sides.Change;
import io.understudy.testkit.Sides.Change.Crash;
import io.understudy.testkit.Sides.Change.Join;
import io.understudy.testkit.Sides.Change.Merge;
import io.understudy.testkit.Sides.Change.Split;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every order in which things can happen, in small scenarios. */
@Tag("rules")
class EndClaimsExplorationTest {

    private record Explored(int states, int mostFired) {}

    /** A scenario, and how often listeners may be told at most. */
    record Case(EndScenario scenario, int mostFired) {}

    private static Case once(
            int members, List<Integer> expiries, List<Integer> logouts, List<Integer> uses, int giveUps) {
        Set<Integer> all = members == 2 ? Set.of(0, 1) : Set.of(0, 1, 2);
        return new Case(new EndScenario(members, all, expiries, logouts, uses, none(members), giveUps, List.of()), 1);
    }

    private static List<Integer> none(int members) {
        return Collections.nCopies(members, 0);
    }

    /** The same with requests that come too late, and wait for nothing. */
    private static Case late(
            int mostFired, List<Integer> expiries, List<Integer> uses, List<Integer> late, Change... changes) {
        int members = expiries.size();
        Set<Integer> all = members == 2 ? Set.of(0, 1) : Set.of(0, 1, 2);
        return new Case(
                new EndScenario(members, all, expiries, none(members), uses, late, 0, List.of(changes)), mostFired);
    }

    /** The same while members come and go. */
    private static Case changing(
            int mostFired,
            Set<Integer> begin,
            List<Integer> expiries,
            List<Integer> logouts,
            List<Integer> uses,
            Change... changes) {
        int members = expiries.size();
        return new Case(
                new EndScenario(members, begin, expiries, logouts, uses, none(members), 0, List.of(changes)),
                mostFired);
    }

    static Stream<Case> cases() {
        Set<Integer> two = Set.of(0, 1);
        Set<Integer> three = Set.of(0, 1, 2);
        List<Integer> none = List.of(0, 0, 0);
        return Stream.of(
                // No failures: one tells, whoever wants to.
                once(2, List.of(1, 1), List.of(0, 0), List.of(1, 1), 1),
                once(2, List.of(1, 0), List.of(1, 1), List.of(0, 1), 0),
                once(2, List.of(0, 0), List.of(2, 2), List.of(0, 0), 1),
                once(3, none, List.of(1, 1, 0), none, 0),
                once(3, List.of(1, 0, 0), List.of(0, 1, 0), none, 0),
                once(3, List.of(1, 0, 0), none, List.of(0, 1, 1), 0),
                // Requests that come too late wait for nothing, on the member that tells and on others.
                late(1, List.of(1, 1), List.of(1, 0), List.of(1, 1)),
                late(1, List.of(1, 0, 0), List.of(0, 0, 1), List.of(0, 1, 0)),
                // Who claims dies: its heir tells again.
                changing(2, three, List.of(1, 0, 0), none, List.of(0, 1, 0), new Crash(0)),
                changing(2, two, List.of(1, 1), List.of(0, 0), List.of(0, 1), new Crash(0)),
                // Who votes dies.
                changing(1, three, List.of(1, 0, 0), none, List.of(0, 1, 0), new Crash(2)),
                // A member joins.
                changing(1, two, List.of(1, 0, 0), List.of(0, 0, 1), none, new Join(2)));
    }

    /** Those that take a second and more. */
    static Stream<Case> largeCases() {
        Set<Integer> two = Set.of(0, 1);
        Set<Integer> three = Set.of(0, 1, 2);
        List<Integer> none = List.of(0, 0, 0);
        return Stream.of(
                changing(2, three, none, List.of(1, 0, 0), List.of(0, 1, 0), new Crash(0)),
                changing(1, two, List.of(1, 0, 0), none, List.of(0, 1, 1), new Join(2)),
                // Who used it dies, and only the member that a late request comes to has the news.
                late(1, List.of(1, 0, 0), List.of(0, 0, 1), List.of(0, 1, 0), new Crash(2)),
                // Each side for itself.
                changing(
                        2,
                        two,
                        List.of(1, 1),
                        List.of(0, 0),
                        List.of(0, 0),
                        new Split(Set.of(0), Set.of(1)),
                        new Merge()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void oneTellsAndNobodyUsesItAfterwardsInAnyOrderOfEvents(Case tried) {
        check(tried);
    }

    static void check(Case tried) {
        Explored explored = explore(tried.scenario());
        assertTrue(explored.states() > 100, explored + " in " + tried);
        assertEquals(tried.mostFired(), explored.mostFired(), explored + " in " + tried);
    }

    private static Explored explore(EndScenario scenario) {
        AtomicInteger mostFired = new AtomicInteger();
        int states = EveryOrder.explore(
                () -> new EndWorld(scenario), world -> mostFired.accumulateAndGet(world.fired(), Math::max));
        return new Explored(states, mostFired.get());
    }
}
