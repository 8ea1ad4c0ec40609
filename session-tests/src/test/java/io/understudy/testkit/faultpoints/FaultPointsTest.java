package io.understudy.testkit.faultpoints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.faultpoints.FaultPoints.Point;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A place throws once, at the arrival that a test names. */
@Tag("cluster")
class FaultPointsTest {

    private final int number = FaultPoints.add(FaultKind.EXCEPTION, "FaultPointsTest");
    private final Point point = new Point(number, FaultKind.EXCEPTION, "FaultPointsTest");

    @Test
    void secondArrivalThrows() {
        FaultPoints.arm(point, FaultKind.EXCEPTION, 2);
        FaultPoints.at(number);
        assertThrows(IllegalStateException.class, () -> FaultPoints.at(number));
        FaultPoints.at(number);
        FaultPoints.Thrown thrown = Objects.requireNonNull(FaultPoints.disarm());
        assertEquals(Thread.currentThread().getName(), thrown.thread());
    }

    @Test
    void callersOfThePlaceAreKnown() {
        FaultPoints.arm(point, FaultKind.EXCEPTION);
        Place place = new Place(number);
        assertThrows(IllegalStateException.class, place::passed);
        List<String> callers = Objects.requireNonNull(FaultPoints.disarm()).callers();
        assertTrue(callers.get(0).contains("Place.passed"), callers::toString);
    }

    @Test
    void arrivalThatDoesNotComeThrowsNothing() {
        FaultPoints.arm(point, FaultKind.EXCEPTION, 2);
        FaultPoints.at(number);
        assertNull(FaultPoints.disarm());
        FaultPoints.at(number);
    }

    @Test
    void arrivalsAreCounted() {
        Map<Point, Long> arrivals = FaultPoints.arrivals(() -> {
            FaultPoints.at(number);
            FaultPoints.at(number);
        });
        assertEquals(2L, arrivals.get(point));
    }
}
