package io.understudy.contract;

import io.understudy.testkit.faultpoints.FaultPoints;
import io.understudy.testkit.faultpoints.FaultPoints.Point;
import io.understudy.testkit.faultpoints.SweepPart;
import io.understudy.testkit.faultsweep.FaultSweep;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Has places of an adapter throw while real containers answer requests.
 *
 * <p>To be loaded by a {@link io.understudy.testkit.faultpoints.PointedLoader} for the adapter.
 */
public final class ContainerSweep {

    private ContainerSweep() {}

    /**
     * As {@link FaultSweep} does.
     *
     * @param container name of a {@link ContractContainer} that has a constructor without arguments
     * @param request name of a {@link SweptRequest}
     */
    public static Map<String, Long> sweep(
            String container,
            String request,
            SweepPart part,
            long seconds,
            Consumer<String> broken,
            Consumer<String> missed) {
        return FaultSweep.sweep(() -> start(container, request), part, seconds, broken, missed);
    }

    /**
     * Has places of the barrier throw, each everything that can be thrown there: a response comes, and is degraded.
     *
     * @param places the beginnings of their names
     * @return a line for each throw that broke something, and for each place that did not throw
     */
    public static List<String> barrier(String container, List<String> places) {
        List<String> broken = new ArrayList<>();
        try (SweptContainers containers = start(container, SweptRequest.COHERENT.name())) {
            containers.prepare();
            containers.act(); // Places that only the first request passes are of no use.
            containers.check();
            containers.prepare();
            List<Point> passed = FaultPoints.passed(containers::act);
            containers.check();
            for (String place : places) {
                List<Point> points = passed.stream()
                        .filter(point ->
                                point.place().replaceFirst(":[0-9]+", "").startsWith(place))
                        .toList();
                if (points.isEmpty()) {
                    broken.add("no place " + place + " among "
                            + passed.stream().map(Point::place).toList());
                }
                points.forEach(point -> point.kind().possible().forEach(kind -> {
                    containers.prepare();
                    FaultPoints.arm(point, kind);
                    containers.act();
                    FaultPoints.Thrown thrown = FaultPoints.disarm();
                    String found = containers.response().statusCode() + " degraded " + containers.degraded();
                    if (thrown == null || !found.equals("200 degraded true")) {
                        broken.add(kind + " at " + point.place() + " in " + thrown + ": " + found);
                    }
                    containers.check();
                }));
            }
        } finally {
            FaultPoints.disarm();
        }
        return broken;
    }

    private static SweptContainers start(String container, String request) {
        try {
            Constructor<?> make = Class.forName(container).getDeclaredConstructor();
            make.setAccessible(true);
            return new SweptContainers((ContractContainer) make.newInstance(), SweptRequest.valueOf(request));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
