package io.understudy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.cluster.ClusterChannel;
import io.understudy.session.requests.RequestsInFlight;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Prepares a node for being stopped: it tells load balancers that it is not ready, serves the requests that come still,
 * and waits until none does and all it has is held by others. It stays a member until it is closed: a request that a
 * balancer sends late is served, not refused. Until then a drain can be taken back.
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

    /** How often drains were taken back. */
    @GuardedBy("this")
    private long takenBack;

    Drain(String node, ClusterChannel channel, RequestsInFlight requests, LongSupplier sessions) {
        this.node = node;
        this.channel = channel;
        this.requests = requests;
        this.sessions = sessions;
    }

    boolean begun() {
        return begun;
    }

    /** Ends those that run, as not complete. */
    void takeBack() {
        boolean was;
        synchronized (this) {
            was = begun;
            begun = false;
            takenBack++;
        }
        if (was) {
            LOG.log(Level.INFO, "{0} - drain taken back: the node takes requests again", node);
        }
    }

    private synchronized long takenBack() {
        return takenBack;
    }

    private synchronized long begin() {
        begun = true;
        return takenBack;
    }

    DrainReceipt run(Duration limit) throws InterruptedException {
        long round = begin();
        LOG.log(Level.INFO, "{0} - drain started: the node is no longer ready", node);
        boolean complete = awaitSafe(round, System.nanoTime() + limit.toNanos());
        DrainReceipt receipt = new DrainReceipt(
                complete,
                requests.running(),
                sessions.getAsLong(),
                channel.figures().sessionsAtRisk(),
                channel.figures().bytesAtRisk(),
                channel.figures().holders());
        LOG.log(complete ? Level.INFO : Level.WARNING, "{0} - {1}", node, receipt);
        return receipt;
    }

    /** Looks again and again: what is at risk is a sum over all sessions, of which nobody is told when it changes. */
    private boolean awaitSafe(long round, long end) throws InterruptedException {
        long quietSince = System.nanoTime();
        long last = requests.begun();
        while (true) {
            long now = System.nanoTime();
            if (requests.running() > 0 || requests.begun() != last) {
                last = requests.begun();
                quietSince = now;
            }
            if (takenBack() != round) {
                return false;
            }
            if (now - quietSince >= QUIET.toNanos()
                    && channel.figures().unsentSessions() == 0
                    && channel.figures().sessionsAtRisk() == 0) {
                return true;
            }
            if (now - end >= 0) {
                return false;
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
    }
}
