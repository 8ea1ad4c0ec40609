package io.understudy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.ClusterChannel;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.Coherence;
import io.understudy.replica.TimeSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The applications of a node. Replicas belong to the channel, not to who uses them: when the last user of an application
 * leaves, as in a redeployment, the node stays its member and goes on holding, merging and acknowledging without any of its
 * classes, for {@code retainUndeployed}; a user that comes within that time finds all that happened meanwhile.
 *
 * <p>Threads: any.
 */
final class Applications {

    private static final Logger LOG = System.getLogger(Applications.class.getName());

    /** An application with its users: contexts that are redeployed overlap. */
    private static final class Joined {

        private final ApplicationGroup group;
        private int users;

        /** When the last user left, in monotonic milliseconds; while there are users, without meaning. */
        private long undeployedAt;

        Joined(ApplicationGroup group) {
            this.group = group;
        }
    }

    private final ClusterChannel channel;
    private final TimeSource time;
    private final Duration retain;

    @GuardedBy("this")
    private final Map<String, Joined> applications = new HashMap<>();

    /** The settings of each application that is joined, once per join. */
    @GuardedBy("this")
    private final List<ApplicationConfig> configured = new ArrayList<>();

    /** @param retain how long an application stays without users; zero is not at all */
    Applications(ClusterChannel channel, TimeSource time, Duration retain) {
        this.channel = channel;
        this.time = time;
        this.retain = retain;
    }

    synchronized ApplicationGroup join(String name, ApplicationConfig settings) {
        configured.add(settings);
        tellConfigured();
        Joined joined = applications.computeIfAbsent(name, key -> new Joined(channel.join(key)));
        joined.users++;
        joined.group.deployed(true);
        return joined.group;
    }

    synchronized void leave(String name, ApplicationConfig settings) {
        configured.remove(settings);
        tellConfigured();
        Joined joined = applications.get(name);
        if (joined == null || --joined.users > 0) {
            return;
        }
        if (retain.isZero()) {
            applications.remove(name);
            joined.group.close();
            return;
        }
        joined.undeployedAt = time.monotonicMillis();
        joined.group.deployed(false);
        LOG.log(Level.INFO, "{0} - undeployed: its sessions stay here for {1}", joined.group.label(), retain);
    }

    @GuardedBy("this")
    private void tellConfigured() {
        channel.applicationsCoherent(
                configured.stream().allMatch(settings -> settings.coherence() == Coherence.COHERENT));
    }

    /** Lets those go that nobody came back for. */
    synchronized void sweep() {
        long before = time.monotonicMillis() - retain.toMillis();
        for (Iterator<Joined> all = applications.values().iterator(); all.hasNext(); ) {
            Joined joined = all.next();
            if (joined.users == 0 && joined.undeployedAt <= before) {
                LOG.log(Level.INFO, "{0} - was not deployed again within {1}: leaves", joined.group.label(), retain);
                all.remove();
                joined.group.close();
            }
        }
    }

    /** Whether sessions are kept of an application that is not deployed. */
    synchronized boolean retaining() {
        return applications.values().stream().anyMatch(joined -> joined.users == 0);
    }

    /** Whether every application that is deployed holds all its sessions; {@code node} is its name. */
    synchronized Readiness readiness(String node) {
        int deployed = 0;
        for (Joined joined : applications.values()) {
            if (joined.users > 0 && !joined.group.ready()) {
                return new Readiness(false, joined.group.label() + " waits for " + joined.group.waitingFor());
            }
            deployed += joined.users > 0 ? 1 : 0;
        }
        if (deployed > 0) {
            return new Readiness(true, node + " holds all sessions of " + deployed + " application(s)");
        }
        return new Readiness(
                false,
                applications.isEmpty()
                        ? node + " has no application yet"
                        : node + " has no application any more; it keeps the sessions of " + applications.keySet());
    }
}
