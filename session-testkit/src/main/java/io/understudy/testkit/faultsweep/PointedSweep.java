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
     * Loads the nodes' classes, once for all sweeps of a JVM: loading takes longer than a run. When a run ends, its
     * nodes have no more threads than before it, so a thread of an earlier sweep passes no place of a later one.
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
