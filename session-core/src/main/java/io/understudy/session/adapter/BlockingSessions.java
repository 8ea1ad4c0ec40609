package io.understudy.session.adapter;

import io.understudy.replica.SessionKey;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.threads.ContextLoader;
import io.understudy.threads.DaemonThreads;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The sessions of one application, in a container that gives each request a thread which may wait, and whose
 * responses leave as a whole.
 *
 * <p>Threads: any.
 */
public final class BlockingSessions implements AutoCloseable {

    private final ReplicatedSessions sessions;
    private final ClassLoader loader;
    private final SessionListener listener;
    private final ScheduledExecutorService timer;
    private final ConcurrentMap<SessionKey, BlockingSession> objects = new ConcurrentHashMap<>();

    /**
     * Begins to end idle sessions, about once a second.
     *
     * @param sessions that the application got when it joined the node; {@link #close} closes them
     * @param loader of the application, for its listener
     */
    public BlockingSessions(ReplicatedSessions sessions, ClassLoader loader, SessionListener listener) {
        this.sessions = sessions;
        this.loader = loader;
        this.listener = listener;
        sessions.bindRequests(BlockingRequest::ticket);
        sessions.objectsGoBy(this::drop);
        this.timer = Executors.newSingleThreadScheduledExecutor(
                task -> DaemonThreads.of("understudy-expiry-" + sessions.application(), task));
        var unused = timer.scheduleWithFixedDelay(this::expire, 1, 1, TimeUnit.SECONDS);
    }

    /** A request begins. The caller closes it when the request is over, whatever becomes of it. */
    public BlockingRequest request(ContainerRequest request) {
        return new BlockingRequest(request, this);
    }

    ReplicatedSessions replicated() {
        return sessions;
    }

    /**
     * The only object of this session on this node. It is here for as long as the session, unless {@code maxMemory}
     * leaves no room.
     */
    BlockingSession objectOf(LiveSession live) {
        BlockingSession object = objects.compute(
                live.key(), (key, present) -> present != null && present.live() == live ? present : heldOrNew(live));
        if (!live.valid()) {
            forget(object); // Ended between the look-up and this: nobody would take it out again.
        }
        return object;
    }

    /** The object that went, if somebody holds it. */
    private BlockingSession heldOrNew(LiveSession live) {
        BlockingSession object =
                live.objects().container() instanceof BlockingSession held ? held : new BlockingSession(this, live);
        live.objects().container(object);
        return object;
    }

    private boolean drop(LiveSession live) {
        objects.remove(live.key());
        return true; // The object has no state of its own.
    }

    void forget(BlockingSession session) {
        objects.remove(session.live().key(), session);
    }

    void created(BlockingSession session) {
        told("calling the listener of a session's begin", () -> listener.created(session));
    }

    void renamed(BlockingSession session, String oldId) {
        told("calling the listener of a session's new id", () -> listener.renamed(session, oldId));
    }

    void destroyed(BlockingSession session) {
        told("calling the listener of a session's end", () -> listener.destroyed(session));
    }

    /**
     * Whatever the application's listener throws, checked exceptions of other languages as well: what called it goes
     * on.
     */
    private void told(String what, Runnable call) {
        try {
            call.run();
        } catch (Throwable e) {
            survived(what, e);
        }
    }

    void survived(String what, Throwable cause) {
        sessions.survived(what, cause);
    }

    private void expire() {
        try {
            sessions.expire(this::expire);
            objects.values().removeIf(object -> !object.live().valid()); // They ended on other nodes.
        } catch (Throwable e) {
            survived("ending idle sessions", e); // A timer that throws would not run again.
        }
    }

    private void expire(LiveSession live) {
        ContextLoader.during(loader, () -> objectOf(live).expire());
    }

    /**
     * The application stops, after its last request. Other nodes go on with its sessions, and no listener is called.
     */
    @Override
    public void close() {
        timer.shutdown();
        objects.clear();
        sessions.close();
    }
}
