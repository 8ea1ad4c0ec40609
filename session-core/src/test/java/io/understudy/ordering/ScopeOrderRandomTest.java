package io.understudy.ordering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrivals in disorder, repeated, lost for ever, with resets of the window, sweeps and the timer in between. */
@Tag("rules")
class ScopeOrderRandomTest {

    private static final int GAP = 100;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatArrivesGoesOnceInOrderUnlessItsGapWasGivenUp(boolean losses) {
        for (int seed = 0; seed < 2000; seed++) {
            new Run(new Random(seed), losses, "seed " + seed).check();
        }
    }

    private static final class Run {
        private final Random random;
        private final boolean losses;
        private final String name;
        private final ScopeFigures figures = new ScopeFigures();
        private final ScopeOrder<ScopeHeader> order;
        private final Map<Long, Long> highest = new HashMap<>();
        private final Set<Long> gone = new TreeSet<>();
        private boolean swept;

        Run(Random random, boolean losses, String name) {
            this.random = random;
            this.losses = losses;
            this.name = name;
            this.order =
                    new ScopeOrder<>(new ScopeOrder.Limits(GAP, losses ? 20 : 10_000, 10_000), figures, held -> held);
        }

        void check() {
            Map<Long, Long> previous = new HashMap<>();
            List<ScopeHeader> arrivals = new ArrayList<>();
            Set<Long> arriving = new TreeSet<>();
            for (long number = 1; number <= 40; number++) {
                Long before = previous.put(number * 7 % 3, number);
                ScopeHeader header = new ScopeHeader(number * 7 % 3, number, before == null ? 0 : before, 0);
                if (!losses || random.nextInt(10) > 0) {
                    arriving.add(number);
                    arrivals.add(header);
                }
                if (random.nextInt(10) == 0 && arriving.contains(number)) {
                    arrivals.add(new ScopeHeader(header.scope(), number, header.previous(), 0));
                }
            }
            Collections.shuffle(arrivals, random);
            long now = 0;
            for (ScopeHeader header : arrivals) {
                apply(order.offer(header, header, 1, now));
                now += random.nextInt(10);
                disturb(now);
            }
            order.close().forEach(this::apply);
            assertEquals(arriving, gone, name);
            assertEquals(List.of(0L, 0L), List.of(figures.heldNow(), figures.heldBytes()), name);
            order.sweep();
            order.sweep();
            assertEquals(0, order.scopeCount(), name);
        }

        private void disturb(long now) {
            if (losses && random.nextInt(5) == 0) {
                order.release(now - GAP).forEach(this::apply);
            } else if (losses && random.nextInt(20) == 0) {
                order.sweep();
                swept = true; // A scope that was freed does not know its gap any more.
            } else if (losses && random.nextInt(20) == 0) {
                order.listen();
            }
        }

        private void apply(ScopeOrder.Scope<ScopeHeader> claimed) {
            List<ScopeHeader> some = claimed == null ? List.of() : order.take(claimed);
            while (!some.isEmpty()) {
                some.forEach(this::apply);
                some = order.take(claimed);
            }
        }

        private void apply(ScopeHeader header) {
            long before = highest.getOrDefault(header.scope(), 0L);
            boolean repeated = !gone.add(header.number());
            if (!losses) {
                assertTrue(repeated || header.previous() == before, () -> name + ": " + header + " after " + before);
                assertTrue(!header.afterGap(), name);
            } else if (!swept && !repeated && header.number() > before && header.previous() > before && before > 0) {
                assertTrue(header.afterGap(), () -> name + ": " + header + " after " + before);
            }
            highest.merge(header.scope(), header.number(), Math::max);
        }
    }
}
