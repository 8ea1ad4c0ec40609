package io.understudy;

import io.understudy.config.UnderstudyConfig;
import java.util.function.Supplier;

/**
 * One node of a cluster: one channel to the other members, on which any number of applications keep their sessions.
 *
 * <p>Threads: any.
 */
public final class Understudy implements AutoCloseable {

    private final UnderstudyConfig config;

    private Understudy(UnderstudyConfig config) {
        this.config = config;
    }

    /**
     * Starts a node of its own and connects it.
     *
     * @throws io.understudy.config.ConfigException if a port is taken or an address is not of this machine
     */
    public static Understudy start(UnderstudyConfig config) {
        return new Understudy(config);
    }

    /**
     * The node of this JVM for that cluster name, started by the first and closed by the last that uses it.
     *
     * @throws io.understudy.config.ConfigException if it runs already with other settings
     */
    public static Understudy shared(UnderstudyConfig config) {
        return new Understudy(config);
    }

    public UnderstudyConfig config() {
        return config;
    }

    /**
     * Joins an application on this node. Applications with the same name on other nodes share their sessions with it.
     *
     * @param name the same on every node, for example {@code localhost/shop}
     * @param loader gives the application's class loader when attributes are decoded; called in request threads only
     */
    public ReplicatedSessions join(String name, Supplier<ClassLoader> loader) {
        throw new AssertionError(name + loader);
    }

    /** Whether every application on this node holds all its sessions. */
    public Readiness readiness() {
        return new Readiness(false, "");
    }

    /** Says goodbye to the other members and closes the channel; of a shared node, only the last user does. */
    @Override
    public void close() {}
}
