package io.understudy.jetty;

import io.understudy.session.LiveSession;
import io.understudy.threads.PerThread;
import java.lang.ref.WeakReference;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.eclipse.jetty.server.Context;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ContextHandler;
import org.jspecify.annotations.Nullable;

/**
 * Knows for which exchange a thread works: Jetty's session types are called without a request, but whenever a thread
 * works for one it is in the scope of a context, or in our handler.
 *
 * <p>A context that stops forgets its listeners, and tells none of them when a thread that is in its scope leaves. What
 * such a thread entered is passed over from then on, and holds nothing of the application until then.
 *
 * <p>Threads: any; what it knows is per thread.
 */
final class ExchangeScope implements ContextHandler.ContextScopeListener {

    /**
     * Scopes nest: forwards, dispatches between contexts, and runs in a context without a request.
     *
     * @param scope of a context; {@code null} is the server's
     */
    private record Frame(
            @Nullable ExchangeScope scope,
            @Nullable WeakReference<ReplicatedRequest> exchange,
            @Nullable Frame outer) {

        boolean over() {
            return scope != null && scope.over;
        }
    }

    private static final PerThread<Frame> CURRENT = new PerThread<>();

    private volatile boolean over;

    static @Nullable ReplicatedRequest current() {
        WeakReference<ReplicatedRequest> exchange = exchange();
        return exchange == null ? null : exchange.get();
    }

    private static @Nullable WeakReference<ReplicatedRequest> exchange() {
        Frame frame = innermost();
        return frame == null ? null : frame.exchange();
    }

    private static @Nullable Frame innermost() {
        Frame frame = CURRENT.get();
        if (frame == null || !frame.over()) {
            return frame;
        }
        while (frame != null && frame.over()) {
            frame = frame.outer();
        }
        CURRENT.place().setPlain(frame);
        return frame;
    }

    /**
     * The ticket of the use that the thread's exchange makes of the session; 0 if it makes none, or has none. It is
     * asked for with each attribute that is read or changed: the response waits for that.
     */
    static long ticket(LiveSession session) {
        ReplicatedRequest exchange = current();
        if (exchange == null) {
            return 0;
        }
        exchange.touches(session);
        return exchange.ticket(session);
    }

    /** Runs the rest of a thread's work for a request, whatever becomes of the scopes inside. */
    static boolean within(ReplicatedRequest exchange, Callable<Boolean> work) throws Exception {
        AtomicReference<@Nullable Frame> place = CURRENT.place();
        Frame outer = innermost();
        place.setPlain(new Frame(null, exchange.weakly(), outer));
        try {
            return work.call();
        } finally {
            place.setPlain(outer);
        }
    }

    /** Without a request, what runs in the context still belongs to the exchange around it. */
    @Override
    public void enterScope(Context context, @Nullable Request request) {
        ReplicatedRequest exchange = ReplicatedRequest.of(request);
        Frame outer = innermost();
        CURRENT.place().setPlain(new Frame(this, exchange == null ? exchange() : exchange.weakly(), outer));
    }

    @Override
    public void exitScope(Context context, @Nullable Request request) {
        for (Frame frame = CURRENT.get(); frame != null; frame = frame.outer()) {
            if (frame.scope() == this) {
                CURRENT.place().setPlain(frame.outer());
                return;
            }
        }
    }

    /** The context stops: threads are in its scope no more. */
    void end() {
        over = true;
    }
}
