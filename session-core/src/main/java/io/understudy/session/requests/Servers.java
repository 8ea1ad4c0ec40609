package io.understudy.session.requests;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * The servers of a node's applications. A container starts applications before it accepts requests: the node may hold
 * all sessions then, but load balancers can't use it yet.
 *
 * <p>Threads: any.
 */
public final class Servers {

    private final Set<BooleanSupplier> accepting = ConcurrentHashMap.newKeySet();

    /** @param accepts whether the server accepts requests; asked often, and must not wait */
    public void add(BooleanSupplier accepts) {
        accepting.add(accepts);
    }

    /** Without effect for one that was not added. */
    public void remove(BooleanSupplier accepts) {
        accepting.remove(accepts);
    }

    /** Whether all of them accept requests. */
    public boolean accept() {
        return accepting.stream().allMatch(BooleanSupplier::getAsBoolean);
    }
}
