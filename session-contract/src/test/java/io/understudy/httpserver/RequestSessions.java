package io.understudy.httpserver;

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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sessions of one request, from its admission to its end. Threads: that of the request. */
public final class RequestSessions {

    private static final String COOKIE = "JSESSIONID";
    static final ThreadLocal<@Nullable RequestSessions> CURRENT = new ThreadLocal<>();

    private final WebRequest request;
    private final HttpSessions container;
    private final ReplicatedSessions sessions;
    private final ApplicationConfig settings;
    private final List<SessionUse> uses = new ArrayList<>();
    private final List<Commit> awaited = new ArrayList<>();
    private @Nullable WebSession session;
    private @Nullable SessionLock lock;
    private boolean newId;

    RequestSessions(WebRequest request, HttpSessions container) {
        this.request = request;
        this.container = container;
        this.sessions = container.sessions;
        this.settings = sessions.config().application();
    }

    /** The ticket of the thread's request for a session. */
    static long ticket(LiveSession live) {
        RequestSessions current = CURRENT.get();
        Stream<SessionUse> all = current == null ? Stream.of() : current.uses.stream();
        return all.filter(use -> use.session() == live)
                .mapToLong(SessionUse::ticket)
                .findFirst()
                .orElse(0);
    }

    /** The session id that the client sent. */
    public @Nullable String requestedId() {
        return request.cookies(COOKIE::equals).stream().findFirst().orElse(null);
    }

    /** @return whether the request may run */
    boolean admit() {
        String id = requestedId();
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
            if (!found.id().equals(id)) { // Two nodes renamed it at once.
                newId = true;
                awaited.add(found.dropSupersededId(id));
            }
        }
        if (admission == Admission.BEHIND) {
            degraded();
        }
        return true;
    }

    private WebSession use(LiveSession live) {
        SessionUse use = live.use();
        uses.add(use); // Before it begins: the end of the request finds it.
        use.begin();
        return container.objectOf(live);
    }

    public @Nullable WebSession get(boolean create) {
        if (session != null && !session.live().valid()) {
            session = null;
        }
        if (session == null && create) {
            session = use(sessions.create(UUID.randomUUID().toString(), 1800));
            newId = true;
            container.listener.created(session);
        }
        return session;
    }

    /** @throws IllegalStateException if the request has no session */
    public String changeId() {
        WebSession renamed = get(false);
        if (renamed == null) {
            throw new IllegalStateException("the request has no session");
        }
        String old = renamed.live().id();
        awaitLater(renamed.live().rename(UUID.randomUUID().toString()));
        newId = true;
        container.listener.renamed(renamed, old);
        return renamed.live().id();
    }

    @Nullable
    Coherence coherence() {
        return RequestCoherence.of(request.attributes().get(RequestCoherence.ATTRIBUTE), request.path(), settings);
    }

    void awaitLater(Commit commit) {
        awaited.add(commit);
    }

    /** @return whether the response may leave */
    boolean settle() {
        Outcome outcome = Outcome.UNCHANGED;
        try {
            uses.forEach(use -> awaited.add(use.session().commit(coherence())));
            for (Commit commit : awaited) {
                outcome = Outcome.worse(outcome, commit.await());
            }
        } catch (RuntimeException | Error e) {
            sessions.survived("sending the changes of a request", e);
            outcome = Outcome.DEGRADED;
        }
        if (outcome.degraded()) {
            degraded();
        }
        addCookies();
        uses.forEach(SessionUse::responseReady);
        return outcome != Outcome.DEGRADED || settings.onDegraded() != OnDegraded.REFUSE;
    }

    private void degraded() {
        request.attributes().put(RequestCoherence.DEGRADED, true);
        if (!settings.degradedHeader().isEmpty()) {
            request.http().getResponseHeaders().set(settings.degradedHeader(), "true");
        }
    }

    private void addCookies() {
        if (session != null && newId) {
            request.addCookie(COOKIE, session.live().id());
        }
        VersionCookie version = session == null ? null : session.live().version();
        if (version != null) {
            request.addCookie(version.name(), version.value() + "; Max-Age=" + VersionCookie.MAX_AGE);
        }
    }

    /** Does not fail half-way: a use or a lock that is left would stay for ever. */
    void end() {
        try {
            uses.forEach(SessionUse::end);
        } finally {
            if (lock != null) {
                lock.close();
            }
        }
    }
}
