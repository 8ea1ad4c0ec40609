package io.understudy.jetty;

import io.understudy.session.LiveSession;
import java.util.concurrent.Callable;
import org.eclipse.jetty.server.Context;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.jspecify.annotations.Nullable;

/**
 * Knows for which exchange a thread works: Jetty's session types are called without a request, but whenever a thread
 * works for one it is in the scope of a context, or in our handler.
 *
 * <p>Threads: any; what it knows is per thread.
 */
final class ExchangeScope implements ContextHandler.ContextScopeListener {

    /** Scopes nest: forwards, dispatches between contexts, and runs in a context without a request. */
    private record Frame(
            @Nullable ReplicatedRequest exchange, @Nullable Frame outer) {}

    private static final ThreadLocal<@Nullable Frame> CURRENT = new ThreadLocal<>();

    static @Nullable ReplicatedRequest current() {
        Frame frame = CURRENT.get();
        return frame == null ? null : frame.exchange();
    }

    /** The ticket of the use that the thread's exchange makes of the session; 0 if it makes none, or has none. */
    static long ticket(LiveSession session) {
        ReplicatedRequest exchange = current();
        return exchange == null ? 0 : exchange.ticket(session);
    }

    /** Runs the rest of a thread's work for a request, whatever becomes of the scopes inside. */
    static boolean within(ReplicatedRequest exchange, Callable<Boolean> work) throws Exception {
        Frame outer = null;
        try {
            outer = CURRENT.get();
            enter(exchange);
            return work.call();
        } finally {
            restore(outer);
        }
    }

    private static void enter(@Nullable ReplicatedRequest exchange) {
        CURRENT.set(new Frame(exchange, CURRENT.get()));
    }

    private static void exit() {
        Frame frame = CURRENT.get();
        restore(frame == null ? null : frame.outer());
    }

    private static void restore(@Nullable Frame outer) {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }

    /** Without a request, what runs in the context still belongs to the exchange around it. */
    @Override
    public void enterScope(Context context, @Nullable Request request) {
        ReplicatedRequest exchange = ReplicatedRequest.of(request);
        enter(exchange == null ? current() : exchange);
    }

    @Override
    public void exitScope(Context context, @Nullable Request request) {
        exit();
    }
}
