package io.understudy.session.adapter;

import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.Coherence;
import io.understudy.config.session.OnDegraded;
import io.understudy.session.Admission;
import io.understudy.session.Commit;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.RequestCoherence;
import io.understudy.session.SessionUse;
import io.understudy.session.VersionCookie;
import io.understudy.session.lock.SessionLock;
import io.understudy.threads.PerThread;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one request, in a container that gives the request a thread which may wait, and whose response
 * leaves as a whole.
 *
 * <p>Threads: that of the request, which holds no lock of the container.
 */
public final class BlockingRequest implements AutoCloseable {

    private static final PerThread<BlockingRequest> CURRENT = new PerThread<>();

    private final ContainerRequest request;
    private final BlockingSessions application;
    private final ReplicatedSessions sessions;
    private final ApplicationConfig settings;
    private final List<SessionUse> uses = new ArrayList<>(1);
    private final List<Commit> awaited = new ArrayList<>(1);
    private @Nullable LiveSession session;
    private @Nullable SessionLock lock;
    private boolean newId;

    /** The id by which the client knows the session, or will. */
    private @Nullable String knownId;

    private boolean admitted;

    /** Whether all that the request changed was sent. */
    private boolean settled;

    /** Whether the request is over: nobody would end a use that begins now. */
    private volatile boolean closed;

    BlockingRequest(ContainerRequest request, BlockingSessions application) {
        this.request = request;
        this.application = application;
        this.sessions = application.replicated();
        this.settings = sessions.config().application();
    }

    /** The ticket of the thread's request for a session; 0 if it has none. */
    static long ticket(LiveSession session) {
        SessionUse use = useOf(session);
        return use == null ? 0 : use.ticket();
    }

    /** The use that the thread's request makes of a session; {@code null} if it makes none, or there is no request. */
    private static @Nullable SessionUse useOf(LiveSession session) {
        BlockingRequest current = CURRENT.get();
        if (current != null) {
            for (SessionUse use : current.uses) {
                if (use.session() == session) {
                    return use;
                }
            }
        }
        return null;
    }

    /**
     * Looks up the session of the request, and takes its lock if requests to the path take it. It waits as {@link
     * ReplicatedSessions#admit} and {@link ReplicatedSessions#lock} do.
     *
     * @param id that the client sent; {@code null} if it sent none
     * @return whether the request may run; if not, answer 503 with {@code Retry-After}
     * @throws IllegalStateException if it was called before
     */
    public boolean admit(@Nullable String id) {
        if (admitted) {
            throw new IllegalStateException("a request is admitted once, and this one was before");
        }
        admitted = true;
        if (id == null) {
            return true;
        }
        Admission admission = sessions.admit(id, request.cookies(settings.versionCookie()::names));
        if (admission == Admission.UNAVAILABLE) {
            return false;
        }
        if (sessions.locks(request.path())) {
            lock = sessions.lock(id);
            if (lock.refused()) {
                return false;
            }
        }
        LiveSession found = sessions.find(id);
        if (found != null && !found.overdue()) {
            session = use(found);
            String current = found.idFor(id);
            knownId = current == null ? id : current;
            if (current != null && !current.equals(id)) { // Two nodes renamed it at once.
                newId = true;
                awaited.add(found.dropSupersededId(id));
            }
        }
        if (admission == Admission.BEHIND) {
            degraded();
        }
        return true;
    }

    private LiveSession use(LiveSession live) {
        SessionUse use = live.use();
        uses.add(use); // Before it begins: the end of the request finds it.
        use.begin();
        if (closed) {
            use.end();
        }
        return live;
    }

    /** The session of the request; {@code null} if it has none, or it is over. */
    public @Nullable BlockingSession session() {
        LiveSession current = valid();
        return current == null ? null : application.objectOf(current);
    }

    private @Nullable LiveSession valid() {
        LiveSession current = session;
        return current != null && current.valid() ? current : null;
    }

    /**
     * Makes a new session the one of the request. The client must get {@linkplain #newId its id}.
     *
     * @param maxInactiveSeconds idle time after which it expires; 0 or less is never
     */
    public BlockingSession create(int maxInactiveSeconds) {
        String id = UUID.randomUUID().toString();
        session = use(sessions.create(id, maxInactiveSeconds));
        knownId = id;
        newId = true;
        BlockingSession created = application.objectOf(session);
        application.created(created);
        return created;
    }

    /**
     * Gives the session of the request a new id. The response waits for it, whatever the coherence: the old id must
     * not work on any node.
     *
     * @return the new id
     * @throws IllegalStateException if the request has no session
     */
    public String changeId() {
        LiveSession renamed = valid();
        if (renamed == null) {
            throw new IllegalStateException("the request has no session whose id could be changed");
        }
        String old = renamed.id();
        String id = UUID.randomUUID().toString();
        awaited.add(renamed.rename(id));
        knownId = id;
        newId = true;
        application.renamed(application.objectOf(renamed), old);
        return id;
    }

    /** Runs the application: meanwhile the calling thread works for this request. */
    public <T> T call(Callable<T> application) throws Exception {
        AtomicReference<@Nullable BlockingRequest> place = CURRENT.place();
        BlockingRequest outer = place.getPlain();
        place.setPlain(this);
        try {
            return application.call();
        } finally {
            place.setPlain(outer);
        }
    }

    /** A thread without a request that uses the session commits its change at once, and waits: nobody else would. */
    static void changed(LiveSession session) {
        if (useOf(session) == null) {
            Outcome unused = session.commit(coherence(session)).await();
        }
    }

    /** What the request of the calling thread wants for its changes; {@code null} if nothing of its own. */
    static @Nullable Coherence coherence(LiveSession session) {
        BlockingRequest current = CURRENT.get();
        return current == null ? RequestCoherence.withoutRequest(session.settings()) : current.coherence();
    }

    private @Nullable Coherence coherence() {
        return RequestCoherence.of(request.attribute(RequestCoherence.ATTRIBUTE), request.path(), settings);
    }

    /** The response of the calling thread's request waits for this. A thread without a request waits here. */
    static void await(Commit commit) {
        BlockingRequest current = CURRENT.get();
        if (current == null) {
            Outcome unused = commit.await();
        } else {
            current.awaited.add(commit);
        }
    }

    /**
     * Sends what the request changed, and waits, {@code ackTimeout} at most. Call it when the application is done,
     * before any of the response leaves. It does not fail: a response whose changes could not be sent is degraded.
     *
     * @return whether the response may leave; if not, answer 503 with {@code Retry-After}
     */
    public boolean settle() {
        Outcome outcome = Outcome.UNCHANGED;
        settled = true;
        for (SessionUse use : uses) {
            outcome = Outcome.worse(outcome, committed(use));
        }
        try {
            for (Commit commit : awaited) {
                outcome = Outcome.worse(outcome, commit.await());
            }
            if (outcome.degraded()) {
                degraded();
            }
        } catch (Throwable e) {
            sessions.survived("waiting for the changes of a request", e);
            outcome = Outcome.DEGRADED;
        }
        each("releasing the attribute values that an answered request has read", SessionUse::responseReady);
        return outcome != Outcome.DEGRADED || settings.onDegraded() != OnDegraded.REFUSE;
    }

    /** Sends what changed in a session, for the response to wait for. */
    private Outcome committed(SessionUse use) {
        try {
            awaited.add(use.commit(coherence()));
            return Outcome.UNCHANGED;
        } catch (Throwable e) {
            settled = false; // The end of the request tries again.
            sessions.survived("sending the changes of a request", e);
            return Outcome.DEGRADED;
        }
    }

    private void each(String what, Consumer<SessionUse> action) {
        for (SessionUse use : uses) {
            try {
                action.accept(use);
            } catch (Throwable e) {
                sessions.survived(what, e);
            }
        }
    }

    private void degraded() {
        request.attribute(RequestCoherence.DEGRADED, true);
        if (!settings.degradedHeader().isEmpty()) {
            request.header(settings.degradedHeader(), "true");
        }
    }

    /**
     * The session id that the client does not have yet, for the session cookie; {@code null} if it needs none, or a
     * login of another request has replaced the id meanwhile.
     */
    public @Nullable String newId() {
        LiveSession current = valid();
        String known = knownId;
        return newId && known != null && current != null ? current.idFor(known) : null;
    }

    /** The version cookie that the response is to have; {@code null} if none. Call it after {@link #settle}. */
    public @Nullable VersionCookie versionCookie() {
        LiveSession current = session; // Also of one that is over: no node is to serve it to this client any more.
        return current == null ? null : current.version();
    }

    /**
     * The request is over, also if it failed or never ran. What was not sent before is sent now, and nobody waits for
     * it. Each use and the lock end, although another one's end fails.
     */
    @Override
    public void close() {
        closed = true;
        try {
            if (!settled) {
                each("sending the last changes of a request", BlockingRequest::commitLast);
            }
            each("ending a request's use of a session; the use counts as ended", SessionUse::end);
        } finally {
            SessionLock held = lock;
            if (held != null) {
                held.close();
            }
        }
    }

    private static void commitLast(SessionUse use) {
        Commit unused = use.session().commitAfterResponse(use);
    }
}
