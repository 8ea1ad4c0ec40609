package io.understudy.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.faultpoints.FaultSeed;
import io.understudy.testkit.faultpoints.PointedLoader;
import io.understudy.testkit.faultpoints.SweepPart;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever an adapter's code throws, or the code that it calls: the request is answered, and nothing of it is left.
 * One place in ten throws here, by the seed, and all of them with the system properties {@code fault.parts}
 * and {@code fault.seconds}. The experiment {@code faults} has the places of the core only.
 */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class FaultSweepContract {

    /** One place in so many. */
    private static final int PARTS = Integer.getInteger("fault.parts", 10);

    private static final FaultSeed SEED = FaultSeed.given();

    /** For each kind of request. A sweep that takes longer leaves out places, and fails. */
    private static final long SECONDS = Integer.getInteger("fault.seconds", 200);

    /** Loads the nodes' classes, once for all sweeps of this class: loading takes longer than a run. */
    private final ClassLoader nodes = new PointedLoader(adapter().getName());

    /** Its class, which the pointed loader loads anew. */
    protected abstract Class<? extends ContractContainer> container();

    /** So many places at least each request passes. */
    protected abstract int leastPlaces();

    /** A class of the adapter. */
    protected abstract Class<?> adapter();

    /** Where the barrier sends and waits, by the beginnings of the places' names. */
    protected abstract List<String> barrier();

    @ParameterizedTest
    @EnumSource(SweptRequest.class)
    @SuppressWarnings("unchecked")
    void aRequestIsAnsweredAndNothingOfItIsLeft(SweptRequest request) throws Exception {
        Queue<String> broken = new ConcurrentLinkedQueue<>();
        Queue<String> missed = new ConcurrentLinkedQueue<>();
        Consumer<String> ofBroken = broken::add;
        Consumer<String> ofMissed = missed::add;
        Map<String, Long> figures = (Map<String, Long>) sweep().getMethod(
                        "sweep",
                        String.class,
                        String.class,
                        SweepPart.class,
                        long.class,
                        Consumer.class,
                        Consumer.class)
                .invoke(null, container().getName(), request.name(), SEED.part(PARTS), SECONDS, ofBroken, ofMissed);
        System.out.println(request + ": " + figures + ", " + SEED);
        assertEquals(List.of(), List.copyOf(broken), SEED::toString);
        assertTrue(
                figures.getOrDefault("places", 0L) >= leastPlaces(),
                () -> "fewer places than " + leastPlaces() + ": " + figures);
        assertEquals(0, figures.getOrDefault("left", 0L), () -> "places are left out: " + figures);
        assertTrue(figures.getOrDefault("runs", 0L) * PARTS * 4 >= leastPlaces(), () -> "too few runs: " + figures);
        assertTrue(
                figures.getOrDefault("thrown", 0L) * 2 > figures.getOrDefault("runs", 0L),
                () -> figures + ", nothing was thrown: " + missed + ", " + SEED);
    }

    @Test
    @SuppressWarnings("unchecked")
    void aBarrierThatThrowsLetsADegradedResponseLeave() throws Exception {
        List<String> broken = (List<String>) sweep().getMethod("barrier", String.class, List.class)
                .invoke(null, container().getName(), barrier());
        assertEquals(List.of(), broken);
    }

    private Class<?> sweep() throws ClassNotFoundException {
        return Class.forName(ContainerSweep.class.getName(), true, nodes);
    }
}
