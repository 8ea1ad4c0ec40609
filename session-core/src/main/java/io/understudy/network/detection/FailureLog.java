package io.understudy.network.detection;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jgroups.Address;

/**
 * Logs by which sign a member was found missing. A dead process closes its connections. Nothing comes from a dead host,
 * a frozen process, or over a network that is cut. A member that stood still for less than failure detection takes
 * sends again.
 *
 * <p>Threads: any.
 */
public final class FailureLog {

    private static final Logger LOG = System.getLogger(FailureLog.class.getName());

    /** Far more than a cluster has members; of those that are gone the oldest is forgotten first. */
    private static final int MAX_GONE = 1000;

    private enum Sign {
        CLOSED,
        SILENT
    }

    private record Suspicion(Sign sign, long silentMillis, long atMillis) {}

    private record Gone(Sign sign, long atMillis) {}

    private final String node;
    private final ReplicationMetrics metrics;
    private final LongSupplier millis;
    private final Map<Address, Suspicion> suspicions = new HashMap<>();
    private final Map<Address, Gone> gone = new LinkedHashMap<>();

    public FailureLog(String node, ReplicationMetrics metrics) {
        this(node, metrics, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    /** @param millis monotonic */
    FailureLog(String node, ReplicationMetrics metrics, LongSupplier millis) {
        this.node = node;
        this.metrics = metrics;
        this.millis = millis;
    }

    /** A member's connection for failure detection was closed, here or at another member. */
    void closed(Address member) {
        suspected(member, Sign.CLOSED, 0);
    }

    /** Nothing was heard of a member for as long as a member may be silent. */
    void silent(Address member, long silentMillis) {
        suspected(member, Sign.SILENT, silentMillis);
    }

    /** The first sign is the one that counts: a connection may be closed as its member is already silent. */
    private synchronized void suspected(Address member, Sign sign, long silentMillis) {
        if (suspicions.putIfAbsent(member, new Suspicion(sign, silentMillis, millis.getAsLong())) == null) {
            metrics.count(Counter.MEMBERS_SUSPECTED);
        }
    }

    /** A member that was suspected says that it is there. */
    synchronized void answered(Address member) {
        Suspicion suspicion = suspicions.remove(member);
        if (suspicion != null) {
            LOG.log(
                    Level.INFO,
                    suspicion.sign == Sign.CLOSED
                            ? "{0} - the failure detection connection to {1} was closed, but the member answers: it "
                                    + "stays in the view"
                            : "{0} - {1} was silent for {2} ms, but it answers now: it stays in the view",
                    node,
                    member,
                    String.valueOf(suspicion.silentMillis));
        }
    }

    /** A member is heard again, before it was suspected. */
    void heardAgain(Address member, long silentMillis) {
        metrics.count(Counter.MEMBERS_PAUSED);
        LOG.log(
                Level.INFO,
                "{0} - {1} sends again after {2} ms of silence: its process paused (a long garbage collection, or "
                        + "no free processor), or the network did. It was not suspected",
                node,
                member,
                String.valueOf(silentMillis));
    }

    /** A view was taken over. */
    public synchronized void view(Collection<Address> present, Collection<Address> left) {
        long now = millis.getAsLong();
        List<Address> back = new ArrayList<>(gone.keySet());
        back.retainAll(present);
        for (Address member : back) {
            Gone before = gone.remove(member);
            if (before != null) {
                LOG.log(
                        Level.INFO,
                        "{0} - {1} is back after {2} ms: it is the same process, which had not ended but {3}",
                        node,
                        member,
                        String.valueOf(now - before.atMillis),
                        before.sign == Sign.SILENT ? "had paused, or was disconnected" : "was disconnected");
            }
        }
        for (Address member : left) {
            Suspicion suspicion = suspicions.remove(member);
            if (suspicion != null) {
                lost(member, suspicion, now);
            }
        }
        suspicions.keySet().retainAll(present);
    }

    private void lost(Address member, Suspicion suspicion, long now) {
        boolean closed = suspicion.sign == Sign.CLOSED;
        metrics.count(closed ? Counter.MEMBERS_LOST_CLOSED : Counter.MEMBERS_LOST_SILENT);
        LOG.log(
                Level.WARNING,
                closed
                        ? "{0} - {1} is missing: its connection was closed, and it does not answer: its process "
                                + "ended {2} ms ago"
                        : "{0} - {1} is missing: its connection is open, but it was silent for {3} ms, and it does "
                                + "not answer: its host or the network to it is down, or its process is frozen. If "
                                + "the process continues, it rejoins by itself",
                node,
                member,
                String.valueOf(now - suspicion.atMillis),
                String.valueOf(suspicion.silentMillis + now - suspicion.atMillis));
        if (gone.size() == MAX_GONE) {
            gone.remove(gone.keySet().iterator().next());
        }
        gone.put(member, new Gone(suspicion.sign, now));
    }
}
