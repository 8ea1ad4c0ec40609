package io.understudy.testkit.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.NodeStart;
import io.understudy.Understudy;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.TimeSource;
import io.understudy.session.ReplicatedSessions;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node with one application in this JVM, that can be stopped in order and started, each alone. As a container does, it
 * lets requests end before it takes away what they use, and takes none meanwhile.
 *
 * <p>Threads: any.
 */
final class Deployment {

    static final String APPLICATION = "/shop";

    private final UnderstudyConfig config;
    private final TimeSource time;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private volatile boolean open;

    @GuardedBy("lock")
    private @Nullable Understudy node;

    @GuardedBy("lock")
    private @Nullable ReplicatedSessions sessions;

    Deployment(UnderstudyConfig config, TimeSource time) {
        this.config = config;
        this.time = time;
    }

    /** Starts the node, if it is stopped, and deploys the application, if it is not. */
    void start() {
        lock.writeLock().lock();
        try {
            Understudy running = node;
            if (running == null) {
                running = NodeStart.start(config, time, StackCustomizer.NONE);
                node = running;
            }
            if (sessions == null) {
                sessions = running.join(APPLICATION, Deployment.class::getClassLoader);
            }
            open = true;
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Whether it takes requests: false before it is taken away. */
    boolean open() {
        return open;
    }

    /** Takes the application away; the node stays. */
    void undeploy() {
        open = false; // Who comes now would keep the lock from being free.
        lock.writeLock().lock();
        try {
            if (sessions != null) {
                sessions.close();
                sessions = null;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** Takes the application away, and the node leaves the cluster. */
    void stop() {
        undeploy();
        lock.writeLock().lock();
        try {
            if (node != null) {
                node.close();
                node = null;
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    /**
     * One request, or another look at the application.
     *
     * @param otherwise what is answered where it is not deployed
     */
    <T> T within(BiFunction<Understudy, ReplicatedSessions, T> request, Supplier<T> otherwise) {
        if (!open || !lock.readLock().tryLock()) {
            return otherwise.get();
        }
        try {
            return node == null || sessions == null ? otherwise.get() : request.apply(node, sessions);
        } finally {
            lock.readLock().unlock();
        }
    }
}
