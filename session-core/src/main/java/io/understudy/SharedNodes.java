package io.understudy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.config.ConfigException;
import io.understudy.config.UnderstudyConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that the applications of this JVM share, one for each cluster name. A node starts under the lock of its own
 * name: its discovery takes as long as a name server or database does, and nodes of other clusters go on meanwhile.
 *
 * <p>Threads: any.
 */
final class SharedNodes {

    /** That of one cluster name, if it runs. */
    private static final class Place {
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private @Nullable Understudy node;

        @GuardedBy("lock")
        private int users;
    }

    private static final Map<String, Place> PLACES = new ConcurrentHashMap<>();

    private SharedNodes() {}

    /** That of a node; {@code null} if no node of its cluster was ever shared. */
    private static @Nullable Place of(Understudy node) {
        return PLACES.get(node.config().clusterName());
    }

    /** As {@link Understudy#shared}. */
    static Understudy use(UnderstudyConfig config) {
        Place place = PLACES.computeIfAbsent(config.clusterName(), name -> new Place());
        place.lock.lock();
        try {
            Understudy node = place.node;
            if (node != null && place.users == 0 && !node.config().sameNode(config)) {
                node.close(); // It was kept for who comes back, but they want another.
                node = null;
            }
            if (node == null) {
                node = Understudy.start(config);
                place.node = node;
            } else if (!node.config().sameNode(config)) {
                throw new ConfigException("cluster '" + config.clusterName() + "' runs in this JVM already with other "
                        + "settings: expected "
                        + String.join("; expected ", node.config().differences(config))
                        + ". Give all applications the same settings of the node, or another 'clusterName'");
            }
            place.users++;
            return node;
        } finally {
            place.lock.unlock();
        }
    }

    /**
     * A use of the node ends.
     *
     * @return whether the caller has to close the node: this was its last use, or nobody shares it
     */
    static boolean leave(Understudy node) {
        Place place = of(node);
        if (place == null) {
            return true;
        }
        place.lock.lock();
        try {
            if (place.node != node) {
                return true;
            }
            place.users = Math.max(0, place.users - 1);
            if (place.users > 0) {
                return false;
            }
            place.node = null;
            return true;
        } finally {
            place.lock.unlock();
        }
    }

    /**
     * A use of a shared node ends; the node goes on while {@code retaining} holds.
     *
     * @return false, and nothing happens, if it does not go on
     */
    static boolean keep(Understudy node, BooleanSupplier retaining) {
        Place place = of(node);
        if (place == null) {
            return false;
        }
        place.lock.lock();
        try {
            boolean kept = place.node == node && retaining.getAsBoolean();
            place.users -= kept ? 1 : 0;
            return kept;
        } finally {
            place.lock.unlock();
        }
    }

    /**
     * If a shared node has no user, and is not kept either: the next user has a new one.
     *
     * @param close begins to close it, and does not wait. If it throws, nothing has changed
     */
    static void drop(Understudy node, BooleanSupplier retaining, Runnable close) {
        Place place = of(node);
        if (place == null) {
            return;
        }
        place.lock.lock();
        try {
            if (place.node == node && place.users == 0 && !retaining.getAsBoolean()) {
                close.run();
                place.node = null;
            }
        } finally {
            place.lock.unlock();
        }
    }

    /** Those without users: from now on the next user of each has a new one. */
    static List<Understudy> takeUnused() {
        List<Understudy> unused = new ArrayList<>();
        for (Place place : PLACES.values()) {
            place.lock.lock();
            try {
                Understudy node = place.node;
                if (node != null && place.users == 0) {
                    place.node = null;
                    unused.add(node);
                }
            } finally {
                place.lock.unlock();
            }
        }
        return unused;
    }
}
