package io.understudy;

import io.understudy.cluster.ClusterChannel;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Prepares a node for being stopped: it tells load balancers that it is not ready, serves the requests that come still,
 * and waits until none does and all it has is held by others. It stays a member until it is closed: a request that a
 * balancer sends late is served, not refused.
 *
 * <p>Threads: any; each waits for itself.
 */
final class Drain {

    /** As long as this no request uses a session before the last one counts as the last. */
    static final Duration QUIET = Duration.ofSeconds(1);

    private static final Logger LOG = System.getLogger(Drain.class.getName());
    private static final long LOOK_AGAIN_MILLIS = 10;

    private final String node;
    private final ClusterChannel channel;
    private final RequestsInFlight requests;
    private final LongSupplier sessions;
    private volatile boolean begun;

    Drain(String node, ClusterChannel channel, RequestsInFlight requests, LongSupplier sessions) {
        this.node = node;
        this.channel = channel;
        this.requests = requests;
        this.sessions = sessions;
    }

    boolean begun() {
        return begun;
    }

    DrainReceipt run(Duration limit) throws InterruptedException {
        begun = true;
        LOG.log(Level.INFO, "{0} - drains: not ready any more", node);
        long now = System.nanoTime();
        long end = now + limit.toNanos();
        long quietSince = now;
        long last = requests.begun();
        while (now - end < 0 && !(now - quietSince >= QUIET.toNanos() && safe())) {
            Thread.sleep(LOOK_AGAIN_MILLIS);
            now = System.nanoTime();
            if (requests.running() > 0 || requests.begun() != last) {
                last = requests.begun();
                quietSince = now;
            }
        }
        DrainReceipt receipt = receipt();
        LOG.log(receipt.complete() ? Level.INFO : Level.WARNING, "{0} - {1}", node, receipt);
        return receipt;
    }

    private boolean safe() {
        return channel.unsentSessions() == 0 && channel.sessionsAtRisk() == 0;
    }

    private DrainReceipt receipt() {
        long running = requests.running();
        return new DrainReceipt(
                running == 0 && safe(),
                running,
                sessions.getAsLong(),
                channel.sessionsAtRisk(),
                channel.bytesAtRisk(),
                channel.holders());
    }
}
