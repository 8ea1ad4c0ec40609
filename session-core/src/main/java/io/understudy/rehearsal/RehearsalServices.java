package io.understudy.rehearsal;

import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.TimeSource;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a node's rehearsals have in common.
 *
 * @param node its name
 * @param processorNanos what the calling thread has used of a processor
 * @param survived takes note of a failure after which all goes on
 */
record RehearsalServices(
        String node,
        TimeSource time,
        ReplicationMetrics metrics,
        RehearsalBudget budget,
        LongSupplier processorNanos,
        RandomGenerator random,
        BiConsumer<String, Throwable> survived) {}
