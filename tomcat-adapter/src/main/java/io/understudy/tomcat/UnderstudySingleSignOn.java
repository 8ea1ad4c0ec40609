package io.understudy.tomcat;

import io.understudy.Understudy;
import io.understudy.config.ConfigException;
import io.understudy.session.Admission;
import io.understudy.session.ReplicatedSessions;
import io.understudy.tomcat.barrier.Refusal;
import io.understudy.tomcat.container.Connectors;
import io.understudy.tomcat.container.ContainerClasses;
import io.understudy.tomcat.container.SessionIds;
import io.understudy.tomcat.container.SharedNode;
import io.understudy.tomcat.container.TomcatVersion;
import io.understudy.tomcat.login.SignOns;
import io.understudy.tomcat.login.SignOns.Member;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import java.io.IOException;
import java.security.Principal;
import java.util.Map;
import java.util.TreeMap;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Session;
import org.apache.catalina.Valve;
import org.apache.catalina.authenticator.SingleSignOn;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's single sign-on for a cluster: who logs in to one application is known to the others of the host, on every
 * node, and who logs out of one is logged out of all, wherever. Its applications have an {@link UnderstudyManager}.
 *
 * <p>In {@code server.xml}, within {@code Host}: {@code <Valve
 * className="io.understudy.tomcat.UnderstudySingleSignOn" clusterName="shop"/>}, with the settings of the node, as a
 * manager has them, or an {@link UnderstudyListener}. Beside these it has {@code cookieName} and {@code
 * cookieDomain}. {@code requireReauthentication} would need passwords, which stay on the node of the login.
 *
 * <p>Threads: request threads, and those that end sessions.
 */
public final class UnderstudySingleSignOn extends SingleSignOn {

    private final Map<String, String> settings = new TreeMap<>();
    private final @Nullable Understudy givenNode;
    private final SharedNode shared = new SharedNode();
    private volatile @Nullable ReplicatedSessions sessions;
    private volatile @Nullable SignOns signOns;

    public UnderstudySingleSignOn() {
        TomcatVersion.require();
        this.givenNode = null;
    }

    /** Upon a node that the embedding application started, and closes. */
    public UnderstudySingleSignOn(Understudy node) {
        TomcatVersion.require();
        this.givenNode = node;
    }

    /** Takes an attribute that Tomcat finds no setter for. A wrong one makes {@link #start} fail. */
    public void setProperty(String name, String value) {
        settings.put(name, value);
    }

    @Override
    protected void startInternal() throws LifecycleException {
        if (getRequireReauthentication()) {
            throw new LifecycleException(
                    "requireReauthentication = true: expected false, because passwords are not replicated; "
                            + "use org.apache.catalina.authenticator.SingleSignOn on a single node");
        }
        boolean started = false;
        try {
            Understudy node = givenNode;
            if (node == null) {
                node = shared.use(UnderstudyListener.complete(Container.getService(getContainer()), settings));
            }
            ReplicatedSessions joined = node.join(
                    "single sign-on of " + getContainer().getName(),
                    UnderstudySingleSignOn.class::getClassLoader,
                    node.config().application(),
                    ContainerClasses.NAMES);
            joined.servedBy(() -> Connectors.accept(Container.getService(getContainer())));
            sessions = joined;
            SignOns replicated = new SignOns(joined);
            signOns = replicated;
            cache = replicated;
            super.startInternal();
            started = true;
        } catch (ConfigException e) {
            throw new LifecycleException(e.getMessage(), e);
        } finally {
            if (!started) {
                leave(); // Tomcat does not stop a valve whose start failed.
            }
        }
    }

    @Override
    protected void stopInternal() throws LifecycleException {
        super.stopInternal();
        leave();
    }

    private void leave() {
        ReplicatedSessions leaving = sessions;
        sessions = null;
        signOns = null;
        if (leaving != null) {
            leaving.close();
        }
        shared.close();
    }

    /**
     * A session that goes with this sign-on ended here. Tomcat has listeners for that, on the object of the node that
     * logged in; but a session may end on any.
     */
    static void ended(String ssoId, UnderstudySession session) {
        UnderstudySingleSignOn valve = of(session);
        if (valve != null) {
            valve.sessionDestroyed(ssoId, session);
        }
    }

    /**
     * A session gets a new id here. If it goes with a sign-on, a logout elsewhere must find it by either id: the change
     * and the list of the sign-on's members reach another node in any order.
     *
     * @param rename changes the id
     */
    static void renamed(UnderstudySession session, String newId, Runnable rename) {
        String ssoId = session.signOn();
        UnderstudySingleSignOn valve = ssoId == null ? null : of(session);
        SignOns all = valve == null ? null : valve.signOns;
        if (ssoId == null || all == null || !all.containsKey(ssoId)) {
            rename.run();
            return;
        }
        Member before = member(session);
        Member after = new Member(before.host(), before.context(), SessionIds.bare(newId));
        RequestScope.await(all.join(ssoId, after, session.getMaxInactiveInterval()), null);
        Member now = before;
        try {
            rename.run();
            now = member(session);
        } finally {
            RequestScope.await(all.part(ssoId, now.equals(before) ? after : before), null);
        }
    }

    private static @Nullable UnderstudySingleSignOn of(UnderstudySession session) {
        Container at = session.getManager().getContext().getParent();
        for (; at != null; at = at.getParent()) {
            for (Valve valve : at.getPipeline().getValves()) {
                if (valve instanceof UnderstudySingleSignOn found) {
                    return found;
                }
            }
        }
        return null;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        ReplicatedSessions replicated = sessions;
        String id = borne(request);
        if (id != null && replicated != null && replicated.admit(id) == Admission.UNAVAILABLE) {
            Refusal.refuse(response, "This node does not know yet whether the user is signed on");
            return;
        }
        SignOns all = signOns;
        if (id != null && all != null) {
            all.used(id);
        }
        super.invoke(request, response);
    }

    /** Ends sign-ons that were idle for too long; Tomcat calls it about every 10 seconds. */
    @Override
    public void backgroundProcess() {
        super.backgroundProcess();
        SignOns all = signOns;
        if (all != null) {
            all.expireIdle(member -> find(member) != null);
        }
    }

    private @Nullable String borne(Request request) {
        Cookie[] cookies = request.getCookies();
        if (cookies != null) {
            for (Cookie cookie : cookies) {
                if (cookie.getName().equals(getCookieName())) {
                    return cookie.getValue();
                }
            }
        }
        return null;
    }

    /** Whether somebody is signed on with this id. For tests. */
    boolean knows(String ssoId) {
        SignOns all = signOns;
        return all != null && all.containsKey(ssoId);
    }

    @Override
    protected void register(
            String ssoId,
            @Nullable Principal principal,
            @Nullable String authType,
            @Nullable String user,
            @Nullable String password) {
        SignOns all = signOns;
        if (all != null) {
            RequestScope.await(all.sign(ssoId, principal, authType), null);
        }
    }

    @Override
    protected boolean update(
            String ssoId,
            @Nullable Principal principal,
            @Nullable String authType,
            @Nullable String user,
            @Nullable String password) {
        SignOns all = signOns;
        if (all == null || !all.containsKey(ssoId)) {
            return false;
        }
        RequestScope.await(all.sign(ssoId, principal, authType), null);
        return true;
    }

    @Override
    protected boolean associate(String ssoId, Session session) {
        SignOns all = signOns;
        if (all == null || !all.containsKey(ssoId) || !(session instanceof UnderstudySession ours)) {
            return false;
        }
        RequestScope.await(all.join(ssoId, member(ours), ours.getMaxInactiveInterval()), null);
        ours.signedOn(ssoId);
        return true;
    }

    private static Member member(UnderstudySession session) {
        Context context = session.getManager().getContext();
        return new Member(context.getParent().getName(), context.getName(), SessionIds.bare(session.getIdInternal()));
    }

    /** The sign-on ends with the last of its sessions. */
    @Override
    protected void removeSession(String ssoId, Session session) {
        SignOns all = signOns;
        if (all == null || !(session instanceof UnderstudySession ours)) {
            return;
        }
        RequestScope.await(all.part(ssoId, member(ours)), null);
        if (all.members(ssoId).stream().allMatch(member -> find(member) == null)) {
            deregister(ssoId);
        }
    }

    /** Ends the sign-on, and the sessions that go with it, on all nodes. */
    @Override
    protected void deregister(String ssoId) {
        SignOns all = signOns;
        if (all == null) {
            return;
        }
        var members = all.members(ssoId);
        RequestScope.await(all.end(ssoId), null);
        for (Member member : members) {
            Session session = find(member);
            if (session != null) {
                session.expire();
            }
        }
    }

    /**
     * The session, whichever node it was begun on; {@code null} if it is over, or its application does not run here.
     */
    private @Nullable Session find(Member member) {
        Container at = getContainer();
        while (at != null && !(at instanceof Engine)) {
            at = at.getParent();
        }
        Container host = at == null ? null : at.findChild(member.host());
        if (host == null || !(host.findChild(member.context()) instanceof Context context)) {
            return null;
        }
        try {
            return context.getManager() == null ? null : context.getManager().findSession(member.id());
        } catch (IOException e) {
            throw new IllegalStateException("sessions of " + member.context() + " can't be looked up", e);
        }
    }
}
