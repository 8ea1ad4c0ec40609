package io.understudy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.ClusterChannel;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.Coherence;
import io.understudy.replica.TimeSource;
import io.understudy.session.requests.Servers;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The applications of a node. Replicas belong to the channel, not to who uses them: when the last user of an application
 * leaves, as in a redeployment, the node stays its member and goes on holding, merging and acknowledging without any of its
 * classes, for {@code retainUndeployed}; a user that comes within that time finds all that happened meanwhile.
 *
 * <p>Threads: any. {@link #readiness} never waits. A group is made under the lock, and closed outside of it, as that
 * waits for listeners and slow members; of one name the next is made when the former is closed.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // Updates are made under the lock.
final class Applications {

    private static final Logger LOG = System.getLogger(Applications.class.getName());

    /** An application with its users: contexts that are redeployed overlap. */
    private static final class Joined {

        private final ApplicationGroup group;

        /** Changed under the lock. A number, as nothing may fail to be made once the group has joined. */
        private volatile int users;

        /** When the last user left, in monotonic milliseconds; while there are users, without meaning. */
        private long undeployedAt;

        /** Whether the log has it. */
        private boolean logged;

        Joined(ApplicationGroup group) {
            this.group = group;
        }
    }

    private final ClusterChannel channel;
    private final TimeSource time;
    private final Duration retain;
    private final Servers servers = new Servers();

    /** Written under the lock. */
    private final Map<String, Joined> applications = new ConcurrentHashMap<>();

    /** Those that are being closed; completed when they are. */
    @GuardedBy("this")
    private final Map<String, CompletableFuture<Void>> leaving = new HashMap<>();

    /** The settings of each application that is joined, once per join. */
    @GuardedBy("this")
    private final List<ApplicationConfig> configured = new ArrayList<>();

    /** @param retain how long an application stays without users; zero is not at all */
    Applications(ClusterChannel channel, TimeSource time, Duration retain) {
        this.channel = channel;
        this.time = time;
        this.retain = retain;
    }

    ApplicationGroup join(String name, ApplicationConfig settings) {
        while (true) {
            CompletableFuture<Void> former;
            synchronized (this) {
                former = leaving.get(name);
                if (former == null) {
                    return joinNow(name, settings);
                }
            }
            former.join();
        }
    }

    /** Whatever is thrown: an application that nobody got is no user, and its settings count for nothing. */
    @GuardedBy("this")
    private ApplicationGroup joinNow(String name, ApplicationConfig settings) {
        boolean joined = false;
        configured.add(settings);
        try {
            tellConfigured();
            ApplicationGroup group = use(name);
            joined = true;
            return group;
        } finally {
            if (!joined) {
                forget(settings);
                tellConfigured();
            }
        }
    }

    @GuardedBy("this")
    private ApplicationGroup use(String name) {
        Joined present = applications.get(name);
        Joined used = present == null ? new Joined(channel.join(name)) : present;
        used.users++; // Before it is found: without users it would be one that is not deployed.
        boolean found = false;
        try {
            applications.put(name, used);
            used.group.deployed(true);
            found = true;
            return used.group;
        } finally {
            if (!found) {
                used.users--;
                drop(name, used, present == null);
            }
        }
    }

    @GuardedBy("this")
    private void drop(String name, Joined unused, boolean made) {
        if (made) {
            applications.remove(name);
            unused.group.close();
        } else if (unused.users == 0) {
            unused.group.deployed(false);
        }
    }

    /** Whatever is thrown: the application has one user less, and {@link #sweep} closes what this could not. */
    void leave(String name, ApplicationConfig settings) {
        Joined last;
        synchronized (this) {
            forget(settings);
            try {
                last = leaveNow(name);
            } finally {
                tellConfigured();
            }
        }
        if (last != null) {
            close(name, last.group);
        }
    }

    /** Returns the application if it is to be closed now. */
    @GuardedBy("this")
    private @Nullable Joined leaveNow(String name) {
        Joined joined = applications.get(name);
        if (joined == null || --joined.users > 0) {
            return null;
        }
        joined.undeployedAt = time.monotonicMillis();
        joined.logged = false;
        if (!retain.isZero()) {
            joined.group.deployed(false);
            return null;
        }
        begin(name);
        return joined;
    }

    /** One entry, and not by comparing settings, which takes memory. */
    @GuardedBy("this")
    @SuppressWarnings("ReferenceEquality") // Whoever joined with them leaves with them.
    private void forget(ApplicationConfig settings) {
        for (int i = 0; i < configured.size(); i++) {
            if (configured.get(i) == settings) {
                configured.remove(i);
                return;
            }
        }
    }

    @GuardedBy("this")
    private void tellConfigured() {
        boolean coherent = true;
        for (int i = 0; i < configured.size(); i++) { // Without an iterator: it is called where there is no memory.
            coherent &= configured.get(i).coherence() == Coherence.COHERENT;
        }
        channel.applicationsCoherent(coherent);
    }

    /** Lets those go that nobody came back for, and does again what failed when one joined or left. */
    void sweep() {
        synchronized (this) {
            tellConfigured();
        }
        long before = time.monotonicMillis() - retain.toMillis();
        applications.forEach((name, joined) -> {
            if (goes(name, joined, before)) {
                try {
                    LOG.log(
                            Level.INFO,
                            "{0} - not deployed again within {1}: this node drops its sessions",
                            joined.group.label(),
                            retain);
                } finally {
                    close(name, joined.group);
                }
            }
        });
    }

    private synchronized boolean goes(String name, Joined joined, long before) {
        if (applications.get(name) != joined || joined.users > 0) {
            return false;
        }
        if (joined.undeployedAt <= before) {
            begin(name);
            return true;
        }
        if (!joined.logged) { // Not when it is undeployed: the node may stop, too.
            joined.logged = true;
            LOG.log(Level.INFO, "{0} - undeployed: this node keeps its sessions for {1}", joined.group.label(), retain);
        }
        return false;
    }

    @GuardedBy("this")
    private void begin(String name) {
        leaving.put(name, new CompletableFuture<>()); // First, as it may fail: the application is there until then.
        applications.remove(name);
    }

    private void close(String name, ApplicationGroup group) {
        try {
            group.close();
        } finally {
            left(name);
        }
    }

    private void left(String name) {
        CompletableFuture<Void> closed;
        synchronized (this) {
            closed = leaving.remove(name);
        }
        if (closed != null) {
            closed.complete(null);
        }
    }

    /** Whether sessions are kept of an application that is not deployed, or one is being closed. */
    synchronized boolean retaining() {
        return !leaving.isEmpty() || applications.values().stream().anyMatch(joined -> joined.users == 0);
    }

    /** What the applications run in. */
    Servers servers() {
        return servers;
    }

    /**
     * Whether every application that is deployed holds all its sessions, and their servers accept requests; {@code node}
     * is its name.
     */
    Readiness readiness(String node) {
        int deployed = 0;
        for (Joined joined : applications.values()) {
            if (joined.users > 0 && !joined.group.ready()) {
                return new Readiness(false, joined.group.label() + " waits for " + joined.group.waitingFor());
            }
            deployed += joined.users > 0 ? 1 : 0;
        }
        if (deployed > 0) {
            String held = node + " holds all sessions of " + deployed + " application(s)";
            return servers.accept()
                    ? new Readiness(true, held)
                    : new Readiness(false, held + ", but its server or application does not accept requests");
        }
        return new Readiness(
                false,
                applications.isEmpty()
                        ? node + " has no application yet"
                        : node + " has no application now, and keeps the sessions of " + applications.keySet());
    }
}
