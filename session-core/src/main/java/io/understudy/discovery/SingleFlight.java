package io.understudy.discovery;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jgroups.util.TimeScheduler;

/**
 * Look-ups that nobody waits for: an answer takes seconds if a server is out of reach. Who asks while one runs is served by it.
 *
 * <p>Threads: any.
 */
final class SingleFlight {

    private final AtomicBoolean looking = new AtomicBoolean();

    void run(TimeScheduler threads, Runnable look) {
        if (looking.compareAndSet(false, true)) {
            threads.execute(() -> {
                try {
                    look.run();
                } finally {
                    looking.set(false);
                }
            });
        }
    }
}
