package io.understudy.network.seal;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jgroups.Address;
import org.jgroups.blocks.cs.BaseServer;
import org.jgroups.util.Util;

/**
 * The addresses that peers claimed as they connected to a port. A host that does not know the secret can claim any number
 * of them, and JGroups keeps a lock for each, also when the connection is closed.
 *
 * <p>Threads: any.
 */
public final class ClaimedAddresses {

    private static final Field LOCKS = Util.getField(BaseServer.class, "locks");

    private ClaimedAddresses() {}

    /** Forgets those that there is no connection to, if there are more than {@code most}. */
    public static void forget(BaseServer server, int most) {
        if (Util.getField(LOCKS, server) instanceof Map<?, ?> locks && locks.size() > most) {
            locks.entrySet()
                    .removeIf(lock ->
                            !(lock.getKey() instanceof Address peer && server.hasConnection(peer)) && !isHeld(lock));
        }
    }

    private static boolean isHeld(Map.Entry<?, ?> entry) {
        return entry.getValue() instanceof ReentrantLock lock && (lock.isLocked() || lock.hasQueuedThreads());
    }
}
