package io.understudy.session.expiry;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import io.understudy.threads.DaemonThreads;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies the listeners of this node when sessions end on other nodes, with {@code endEvents = everywhere}. It does so
 * for sessions that requests used here, and for no others: no listener here can know those.
 *
 * <p>A tombstone takes the attributes of its session away. So the session's object stands on the replica as it was
 * before, until the listeners have run.
 *
 * <p>Threads: any. Listeners run in threads of this class, which are daemons, hold no application's class loader, and
 * end when they have nothing to do.
 *
 * @param <S> a session in use
 */
public final class EndsElsewhere<S> implements AutoCloseable {

    private static final String TELLING = "telling listeners of an end on another node";

    private static final int THREADS = 4;

    private static final long IDLE_SECONDS = 5;

    private final ApplicationGroup group;
    private final ReplicationMetrics metrics;
    private final EndableSessions<S> sessions;
    private final Consumer<StoredReplica> ended = this::ended;
    private final ThreadPoolExecutor threads;

    /** Sessions that requests used on this node, and that are not over. */
    private final Set<SessionKey> used = ConcurrentHashMap.newKeySet();

    private volatile @Nullable Consumer<S> listeners;

    public EndsElsewhere(ApplicationGroup group, ReplicationMetrics metrics, EndableSessions<S> sessions) {
        this.group = group;
        this.metrics = metrics;
        this.sessions = sessions;
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.numbered("understudy-" + group.label() + "-ends"));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * @param call notifies the listeners of one session, and lets go of its object; several threads may call it at once
     */
    public void toldBy(Consumer<S> call) {
        boolean first = listeners == null;
        listeners = call;
        if (first) {
            group.store().onEnd(ended);
        }
    }

    /** A request uses the session. */
    public void used(SessionKey key) {
        if (listeners != null && used.add(key) && !live(key)) {
            used.remove(key); // It ended meanwhile, and nobody would take it out.
        }
    }

    private boolean live(SessionKey key) {
        StoredReplica stored = group.store().header(key);
        return stored != null && stored.replica().live();
    }

    /** This node ends the session, and its listeners have run. */
    public void endsHere(SessionKey key) {
        used.remove(key);
    }

    /** How many sessions it knows that are not over. */
    public int known() {
        return used.size();
    }

    private void ended(StoredReplica last) {
        if (!used.remove(last.replica().key())) {
            return;
        }
        @Nullable S session = null;
        try {
            S found = sessions.of(last);
            session = found;
            sessions.last(found, last);
            threads.execute(() -> tell(found));
        } catch (Throwable e) {
            if (session != null) {
                sessions.last(session, null);
            }
            group.survived(TELLING, e);
        }
    }

    private void tell(S session) {
        try {
            Consumer<S> tell = listeners;
            if (tell != null) {
                metrics.count(Counter.ENDS_FOLLOWED);
                tell.accept(session);
            }
        } catch (Throwable e) {
            group.survived(TELLING, e);
        } finally {
            Thread.interrupted(); // A listener's doing, which is nothing to the next session.
            sessions.last(session, null);
        }
    }

    /** Calls no listener any more. Listeners that run go on. */
    @Override
    public void close() {
        listeners = null;
        group.store().notOnEnd(ended);
        threads.shutdown();
        used.clear();
    }
}
