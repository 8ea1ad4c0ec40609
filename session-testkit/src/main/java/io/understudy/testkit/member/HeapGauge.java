package io.understudy.testkit.member;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * What this JVM's collections leave in its heap. Those of the young generation leave garbage, too: the peak is never too
 * low but between two collections.
 *
 * <p>Threads: any.
 */
final class HeapGauge {

    private final Set<String> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(pool -> pool.getName())
            .collect(Collectors.toSet());

    private final AtomicLong peak = new AtomicLong();

    private HeapGauge() {}

    static HeapGauge start() {
        HeapGauge gauge = new HeapGauge();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector)
                    .addNotificationListener((event, handback) -> gauge.collected(event), null, null);
        }
        return gauge;
    }

    private void collected(Notification event) {
        if (event.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            Map<String, MemoryUsage> after = GarbageCollectionNotificationInfo.from((CompositeData) event.getUserData())
                    .getGcInfo()
                    .getMemoryUsageAfterGc();
            long used = after.entrySet().stream()
                    .filter(pool -> pools.contains(pool.getKey()))
                    .mapToLong(pool -> pool.getValue().getUsed())
                    .sum();
            peak.accumulateAndGet(used, Math::max);
        }
    }

    /** Collects; then what is in use, and the most that a collection left since the last call. */
    Heap read() {
        System.gc();
        long used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return new Heap(used, Math.max(used, peak.getAndSet(used)));
    }
}
