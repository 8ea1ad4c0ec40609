package io.understudy.testkit.faultsweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.faultpoints.FaultKind;
import io.understudy.testkit.faultpoints.FaultPoints.Point;
import io.understudy.testkit.faultpoints.FaultSeed;
import io.understudy.testkit.faultpoints.SweepPart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which faults a sweep has happen where. */
@Tag("cluster")
class ShotTest {

    private static final List<FaultKind> KINDS = List.of(FaultKind.values());
    private static final int PLACES = 400;
    private static final int PARTS = 10;

    /** Places of all kinds, some of which are alike, and which code passes once to five times. */
    private static Map<Point, Long> places() {
        Map<Point, Long> places = new LinkedHashMap<>();
        for (int i = 0; i < PLACES; i++) {
            FaultKind kind = KINDS.get(i % KINDS.size());
            places.put(new Point(i, kind, "Class.method:" + i / 3 + " new Thing"), i % 5 + 1L);
        }
        return places;
    }

    @Test
    void eachPlaceIsInOnePart() {
        List<Point> shot = new ArrayList<>();
        for (int part = 0; part < PARTS; part++) {
            List<Shot> plan = Shot.plan(places(), new SweepPart(part, PARTS, 7));
            assertTrue(plan.size() > PLACES / PARTS / 2, part + " has " + plan.size());
            plan.forEach(each -> shot.add(each.point()));
        }
        assertEquals(PLACES, shot.size());
        assertEquals(places().keySet(), new HashSet<>(shot));
    }

    @Test
    void turnsHaveEachKindAtTheFirstArrivals() {
        Set<Shot> shots = new HashSet<>();
        for (int turn = 0; turn < Shot.CYCLE; turn++) {
            shots.addAll(Shot.plan(places(), new SweepPart(0, 1, turn)));
        }
        places().forEach((point, arrivals) -> assertTrue(shots.containsAll(Shot.all(point, arrivals)), point::place));
    }

    @Test
    void turnsHaveLaterArrivalsToo() {
        Set<Long> arrivals = new HashSet<>();
        for (int turn = 0; turn < Shot.CYCLE; turn++) {
            Shot.plan(places(), new SweepPart(0, 1, turn)).forEach(shot -> arrivals.add(shot.arrival()));
        }
        assertEquals(Set.of(1L, 2L, 3L, 4L, 5L), arrivals);
    }

    @Test
    void noArrivalIsBeyondTheLast() {
        for (int turn = 0; turn < Shot.CYCLE; turn++) {
            Shot.plan(places(), new SweepPart(0, 1, turn))
                    .forEach(shot -> assertTrue(shot.arrival() <= places().get(shot.point()), shot::toString));
        }
    }

    @Test
    void seedsInARowHaveEverythingEverywhere() {
        Set<Shot> shots = new HashSet<>();
        for (long number = 20_000; number < 20_000 + (long) Shot.CYCLE * PARTS; number++) {
            FaultSeed seed = new FaultSeed(number);
            shots.addAll(Shot.plan(places(), seed.part(PARTS)));
        }
        places().forEach((point, arrivals) -> assertTrue(shots.containsAll(Shot.all(point, arrivals)), point::place));
    }

    @Test
    void otherPlacesDoNotChangeAPlan() {
        Map<Point, Long> fewer = places();
        fewer.keySet().removeIf(point -> point.number() < 99);
        List<Shot> plan = Shot.plan(places(), new SweepPart(3, PARTS, 5));
        plan = plan.stream().filter(shot -> shot.point().number() >= 99).toList();
        assertEquals(plan, Shot.plan(fewer, new SweepPart(3, PARTS, 5)));
    }

    @Test
    void thereIsAShotThoughThePartHasNoPlace() {
        Map<Point, Long> one = Map.of(new Point(0, FaultKind.MEMORY, "Class.method:1 new Thing"), 1L);
        for (int part = 0; part < PARTS; part++) {
            assertEquals(1, Shot.plan(one, new SweepPart(part, PARTS, 0)).size());
        }
    }
}
