package io.understudy.testkit.faultsweep;

import io.understudy.testkit.faultpoints.PointedLoader;
import io.understudy.testkit.faultpoints.SweepPart;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Has a {@link FaultSweep} made on nodes of their own classes, whose code has places that can throw.
 *
 * <p>Threads: one sweep at a time in a JVM.
 */
public final class PointedSweep {

    /**
     * Of all sweeps of a JVM: a node's classes take longer to load than a run takes. A sweep ends with no thread of its
     * nodes left, so none of an earlier one passes a place.
     */
    private static final ClassLoader NODES = new PointedLoader();

    private PointedSweep() {}

    /** As {@link FaultSweep#sweep(String, SweepPart, long, Consumer, Consumer)}. */
    public static Map<String, Long> part(
            Scenario scenario, SweepPart part, long seconds, Consumer<String> broken, Consumer<String> missed)
            throws ReflectiveOperationException {
        Class<?>[] types = {String.class, SweepPart.class, long.class, Consumer.class, Consumer.class};
        return call("sweep", types, scenario.name(), part, seconds, broken, missed);
    }

    /** As {@link FaultSweep#sweepAt}. */
    public static Map<String, Long> at(Scenario scenario, String beginning, Consumer<String> broken)
            throws ReflectiveOperationException {
        Class<?>[] types = {String.class, String.class, Consumer.class};
        return call("sweepAt", types, scenario.name(), beginning, broken);
    }

    @SuppressWarnings("unchecked") // Both return the same.
    private static Map<String, Long> call(String method, Class<?>[] types, Object... arguments)
            throws ReflectiveOperationException {
        return (Map<String, Long>) Class.forName(FaultSweep.class.getName(), true, NODES)
                .getMethod(method, types)
                .invoke(null, arguments);
    }
}
