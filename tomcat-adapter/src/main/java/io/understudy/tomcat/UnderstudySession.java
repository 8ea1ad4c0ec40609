package io.understudy.tomcat;

import io.understudy.config.session.Coherence;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.LoginName;
import io.understudy.session.RequestCoherence;
import io.understudy.tomcat.container.ContainerLocalAttributes;
import io.understudy.tomcat.container.SessionIds;
import io.understudy.tomcat.login.LoginState;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.security.Principal;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.apache.catalina.session.StandardSession;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's session object upon a replicated session: state is {@link LiveSession}'s, listener semantics are Tomcat's.
 *
 * <p>A change made inside a request is sent when its {@link RequestScope} settles. One made anywhere else (the thread
 * of an asynchronous request, a web socket, a timer) is written through: the call returns when it is acknowledged.
 *
 * <p>Threads: any.
 */
final class UnderstudySession extends StandardSession {

    /** Tomcat's attribute, by which it closes a user's web sockets with the session. No other node has them. */
    private static final String SOCKETS = "org.apache.tomcat.websocket.server.WsHttpSessionBindingListener";

    private final transient UnderstudyManager replicas;
    private transient volatile @Nullable LiveSession live;

    /** Where it is replicated; {@code null} before the session has an id, and where Tomcat is not to persist it. */
    private transient volatile @Nullable LoginState login;

    private final transient SessionUses uses = new SessionUses();

    private final transient ObjectEnd end;

    private final transient ObjectCommits commits;

    private final transient ObjectAccesses accesses;

    /** A session that is about to begin: it has no replica before its {@linkplain #setId id} is known. */
    UnderstudySession(UnderstudyManager manager) {
        super(manager);
        this.replicas = manager;
        this.commits = new ObjectCommits(this, manager);
        this.accesses = new ObjectAccesses(this, manager, uses, commits);
        this.end = new ObjectEnd(this, manager);
    }

    /** The object of a session that began earlier, or elsewhere. */
    UnderstudySession(UnderstudyManager manager, LiveSession live) {
        this(manager);
        setCreationTime(live.creationMillis());
        this.thisAccessedTime = live.lastUseMillis();
        this.lastAccessedTime = this.thisAccessedTime;
        this.isValid = true;
        standOn(live);
    }

    private void standOn(LiveSession session) {
        this.live = session;
        session.activation(new SessionActivation(this, replicas.applicationLoader()));
        this.login = replicas.getPersistAuthentication() ? new LoginState(session.containerAttributes()) : null;
        this.attributes = new ContainerLocalAttributes(session.attributes(), this::exclude);
        session.objects().container(this); // Last: it is found there from now on.
    }

    LiveSession live() {
        return Objects.requireNonNull(live, "the session has no id yet");
    }

    boolean standsOn(LiveSession session) {
        return live == session;
    }

    /** Whether the session ended, here or on another node. */
    boolean over() {
        return !isValid || !live().valid();
    }

    /** Whether a request may find it now. An overdue session is left to its owner, whose expiry fires the listeners. */
    boolean usable() {
        return expiring || (!over() && (inUse() || !live().overdue()));
    }

    boolean inUse() {
        return live().inUse();
    }

    /** Whether another object would be as good: nobody uses this one, and it has nothing that the replica has not. */
    boolean replaceable() {
        boolean replicated = attributes instanceof ContainerLocalAttributes own && own.allReplicated();
        boolean unused = !uses.any() && !isNew && !end.begun() && listeners.isEmpty();
        return unused && replicated && LoginState.hasAll(login, notes, principal);
    }

    @Override
    public boolean isValid() {
        return live != null ? usable() : isValid;
    }

    @Override
    protected boolean isValidInternal() {
        LiveSession session = live;
        return isValid && (session == null || expiring || session.valid());
    }

    @Override
    public String getId() {
        return getIdInternal();
    }

    @Override
    public String getIdInternal() {
        return SessionIds.routed(live().id(), replicas.getJvmRoute());
    }

    /** Gives a new session its id, and with it its replica; renames an existing one. */
    @Override
    public void setId(String id, boolean notify) {
        if (live == null) {
            standOn(replicas.replicated().create(SessionIds.bare(id), maxInactiveInterval));
        } else {
            rename(id);
        }
        replicas.add(this);
        if (notify) {
            tellNew();
        }
    }

    /** The new id holds everywhere when the response leaves, whatever the coherence: the old one must be worthless. */
    void rename(String newId) {
        RequestScope.await(live().rename(SessionIds.bare(newId)), this);
    }

    @Override
    public int getMaxInactiveInterval() {
        LiveSession session = live;
        return session == null ? maxInactiveInterval : session.maxInactiveSeconds();
    }

    @Override
    public void setMaxInactiveInterval(int seconds) {
        this.maxInactiveInterval = seconds;
        LiveSession session = live;
        if (session != null) {
            session.maxInactiveSeconds(seconds);
            changed();
        }
    }

    @Override
    public long getIdleTimeInternal() {
        return live().idleMillis();
    }

    /** Does not fail: Tomcat ends the access in any case. */
    @Override
    public void access() {
        if (!isNew) {
            followLastUse();
        }
        accesses.begin();
        super.access();
    }

    private void followLastUse() {
        try {
            // Another node may have served the previous request.
            lastAccessedTime = Math.max(lastAccessedTime, live().lastUseMillis());
        } catch (Throwable e) {
            replicas.survived("reading when a session was last used", e);
        }
    }

    SessionUses uses() {
        return uses;
    }

    /** Does not fail: Tomcat would end the access again. */
    @Override
    public void endAccess() {
        accesses.end();
        try {
            super.endAccess();
        } catch (Throwable e) {
            replicas.survived("recording when a session was used", e);
        }
        uses.end();
        replicas.used(this);
    }

    ObjectCommits commits() {
        return commits;
    }

    private void changed() {
        if (end.begun()) {
            // A listener of its end changed it: nothing to keep, and Tomcat's lock is held.
            return;
        }
        RequestScope scope = RequestScope.current();
        if (scope == null) {
            uses.changedOutside(this, commits.commit(coherence()).await());
        } else {
            commits.unsettle();
            scope.use(this);
        }
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        commits.unsettle();
        RequestScope scope = RequestScope.current();
        if (scope != null) {
            scope.use(this); // A request that has the session since before its pass does not ask for it again.
        }
        LiveSession session = live;
        if (session != null && session.endedElsewhere() && LiveSession.ENDED_ELSEWHERE.equals(name)) {
            return true;
        }
        return super.getAttribute(name);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value, boolean notify) {
        boolean staysHere = name != null && value != null && exclude(name, value);
        if (name != null && value != null && !staysHere && isValidInternal()) {
            live().checkReplicable(name, value); // Before the value is bound.
        }
        super.setAttribute(name, value, notify);
        if (value != null && !staysHere) {
            changed();
        }
    }

    @Override
    protected boolean exclude(String name, Object value) {
        return SOCKETS.equals(name) || super.exclude(name, value);
    }

    @Override
    public void removeAttribute(String name, boolean notify) {
        super.removeAttribute(name, notify);
        changed();
    }

    @Override
    public @Nullable Principal getPrincipal() {
        LoginState state = login;
        return state == null ? super.getPrincipal() : state.principal();
    }

    @Override
    public void setPrincipal(@Nullable Principal principal) {
        super.setPrincipal(principal);
        keep(state -> {
            state.principal(principal);
            LoginName.keep(live(), principal == null ? null : principal.getName());
        });
    }

    /** Who is logged in by another kind of container; {@code null} if nobody is, or this kind can tell by itself. */
    @Nullable
    String loginElsewhere() {
        LoginState state = login;
        if (state == null || LoginName.of(live()) == null) {
            return null; // Mostly, after one look.
        }
        return state.principal() != null ? null : LoginName.of(live());
    }

    @Override
    public @Nullable String getAuthType() {
        LoginState state = login;
        return state == null ? super.getAuthType() : state.authType();
    }

    @Override
    public void setAuthType(@Nullable String type) {
        super.setAuthType(type);
        keep(state -> state.authType(type));
    }

    @Override
    public @Nullable Object getNote(String name) {
        LoginState state = login;
        return state == null || !LoginState.keeps(name)
                ? super.getNote(name)
                : state.note(name, replicas.getJvmRoute());
    }

    @Override
    public void setNote(String name, Object value) {
        super.setNote(name, value);
        if (LoginState.keeps(name)) {
            keep(state -> state.note(name, value));
        }
    }

    @Override
    public void removeNote(String name) {
        super.removeNote(name);
        if (LoginState.keeps(name)) {
            keep(state -> state.note(name, null));
        }
    }

    private void keep(Consumer<LoginState> change) {
        LoginState state = login;
        if (state != null) {
            change.accept(state);
            changed();
        }
    }

    /** What can't be encoded is refused before, or stays on this node, named in a warning. */
    @Override
    public boolean isAttributeDistributable(String name, Object value) {
        return true;
    }

    @Override
    public void expire(boolean notify) {
        Coherence coherence = coherence();
        end.here(notify, session -> session.beginEnd(coherence), session -> session.invalidate(coherence));
    }

    /** What the thread's request wants, or what holds without one. */
    @Nullable
    Coherence coherence() {
        RequestScope scope = RequestScope.current();
        return scope == null ? RequestCoherence.withoutRequest(live().settings()) : scope.coherence(this);
    }

    /** As the owner of a session that was idle for too long: fires the listeners, then ends it everywhere. */
    void expireIdle() {
        end.here(true, LiveSession::beginExpiry, session -> {
            var unused = session.expire(); // The next session's listeners need not wait for the acknowledgements.
            return Commit.NOTHING;
        });
    }

    /** See {@link ObjectEnd#elsewhere}. */
    void endedElsewhere() {
        end.elsewhere();
    }

    /** Whether neither this object was ended here, nor its session elsewhere as far as this object noticed. */
    boolean unended() {
        return isValid;
    }

    /** Tomcat's part of the end: calls the listeners, and takes the session out of the manager. */
    void callEndListeners(boolean notify) {
        super.expire(notify);
    }

    void markInvalid() {
        isValid = false;
    }

    /** The listeners were called. */
    void markEnded() {
        isValid = false;
        expiring = false;
    }

    /** Whether no client has had its id yet. */
    boolean begunByItsRequest() {
        return isNew;
    }

    /** The single sign-on of this session; {@code null} if it has none. */
    @Nullable
    String signOn() {
        return LoginState.signOn(live());
    }

    /** A login of this session is one to all applications of the host. */
    void signedOn(String id) {
        if (!id.equals(signOn())) {
            LoginState.signOn(live(), id);
            changed();
        }
    }

    /** The session ended on another node: what only this node has of it is unbound here. Does not fail. */
    void unbindLocal() {
        if (attributes instanceof ContainerLocalAttributes own && !own.allReplicated()) {
            replicas.asApplication(() -> own.takeLocal().forEach(this::unbind));
        }
    }

    private void unbind(String name, Object value) {
        try {
            if (value instanceof HttpSessionBindingListener bound) {
                bound.valueUnbound(new HttpSessionBindingEvent(getSession(), name, value));
            }
        } catch (Throwable e) {
            replicas.survived("unbinding an attribute of a session that ended on another node", e);
        }
    }

    /**
     * Unbinding takes the attributes out one by one. That must not happen to the replicated ones: other nodes may
     * veto the expiry, as they know of a later use.
     */
    void detach() {
        ConcurrentMap<String, Object> unbound = new ConcurrentHashMap<>();
        for (String name : keys()) {
            Object value = attributes.get(name);
            if (value != null) {
                unbound.put(name, value);
            }
        }
        this.attributes = unbound;
    }

    /** Forgets this object's state, never the session's: other nodes go on using it. */
    @Override
    public void recycle() {
        this.attributes = new ConcurrentHashMap<>();
        this.login = null;
        super.recycle();
    }

    @Override
    public String toString() {
        LiveSession session = live;
        return "UnderstudySession[" + (session == null ? "new" : session.key()) + "]";
    }
}
