package io.understudy.tomcat.login;

import io.understudy.config.session.Coherence;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import java.security.Principal;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.catalina.authenticator.SingleSignOnEntry;
import org.jspecify.annotations.Nullable;

/**
 * The single sign-ons, by the id in the cookie. Each is a replicated session of its own, which holds the principal and
 * the sessions of applications that go with it. {@code SingleSignOn} looks them up in this map.
 *
 * <p>It ends with the last of its sessions. That may go without a word, as when its application is undeployed everywhere, so
 * a sign-on that nobody used for longer than any of its sessions may be idle ends by itself.
 *
 * <p>Threads: any. No look-up waits.
 */
public final class SignOns extends AbstractMap<String, SingleSignOnEntry> {

    /** A session of an application that belongs to somebody who is signed on. */
    public record Member(String host, String context, String id) {

        private static final String SEPARATOR = "\n";

        String name() {
            return String.join(SEPARATOR, host, context, id);
        }

        static Member of(String name) {
            String[] parts = name.split(SEPARATOR, 3);
            return new Member(parts[0], parts[1], parts[2]);
        }
    }

    private static final String MEMBER = "tomcat.session.";

    /** How long, in seconds, a sign-on may be idle at least: far longer than sessions of most applications. */
    static final int LEAST_IDLE_SECONDS = 24 * 60 * 60;

    /** Uses are noted about so often, in milliseconds: each request that bears the cookie is one. */
    private static final long NOTED_MILLIS = 60_000;

    /** The share of its idle time after which a sign-on is used if one of its sessions goes on. */
    private static final double NEARLY_DUE = 0.75;

    private final ReplicatedSessions sessions;

    public SignOns(ReplicatedSessions sessions) {
        this.sessions = sessions;
    }

    private @Nullable LiveSession find(@Nullable Object id) {
        LiveSession found = id instanceof String text ? sessions.find(text) : null;
        return found == null || !found.valid() ? null : found;
    }

    @Override
    public @Nullable SingleSignOnEntry get(@Nullable Object id) {
        LiveSession found = find(id);
        if (found == null) {
            return null;
        }
        LoginState login = new LoginState(found.containerAttributes());
        return new SingleSignOnEntry(login.principal(), login.authType(), null, null);
    }

    @Override
    public boolean containsKey(@Nullable Object id) {
        return find(id) != null;
    }

    @Override
    public Set<Map.Entry<String, SingleSignOnEntry>> entrySet() {
        throw new UnsupportedOperationException("expected a look-up of one sign-on: all of them can't be listed");
    }

    /** Somebody signs on, or shows again who they are. */
    public Commit sign(String id, @Nullable Principal principal, @Nullable String authType) {
        LiveSession known = find(id);
        LiveSession session = known != null ? known : sessions.create(id, LEAST_IDLE_SECONDS);
        LoginState login = new LoginState(session.containerAttributes());
        login.principal(principal);
        login.authType(authType);
        return session.commit(Coherence.COHERENT);
    }

    /**
     * The session goes with the sign-on from now on.
     *
     * @param idleSeconds how long that session may be idle; 0 or less is for ever
     */
    public Commit join(String id, Member member, int idleSeconds) {
        LiveSession found = find(id);
        String name = MEMBER + member.name();
        if (found == null) {
            return Commit.NOTHING;
        }
        boolean longer = outlive(found, idleSeconds);
        if (!longer && found.containerAttributes().containsKey(name)) {
            return Commit.NOTHING;
        }
        found.containerAttributes().put(name, true);
        return found.commit(Coherence.COHERENT);
    }

    /** Lets a sign-on be idle for twice as long as one of its sessions; false if it may be already. */
    private static boolean outlive(LiveSession signOn, int idleSeconds) {
        int now = signOn.maxInactiveSeconds();
        int wanted = idleSeconds <= 0 ? 0 : (int) Math.min(2L * idleSeconds, Integer.MAX_VALUE);
        boolean longer = now > 0 && (wanted == 0 || wanted > now);
        if (longer) {
            signOn.maxInactiveSeconds(wanted);
        }
        return longer;
    }

    /** A request bears the cookie. */
    public void used(String id) {
        LiveSession found = find(id);
        if (found != null && found.idleMillis() > NOTED_MILLIS) {
            use(found);
        }
    }

    private static void use(LiveSession signOn) {
        long ticket = signOn.enter();
        try {
            signOn.commit(Coherence.INCOHERENT);
        } finally {
            signOn.exit(ticket);
        }
    }

    /**
     * Ends the sign-ons that were idle for too long. Each node does it for those that were used there last.
     *
     * <p>Threads: one at a time. Waits for the votes of other members.
     *
     * @param runs whether a session goes on: its sign-on does as well
     */
    public void expireIdle(Predicate<Member> runs) {
        sessions.ids().forEach(id -> useIfOneRuns(id, runs));
        for (LiveSession idle : sessions.expirable()) {
            if (members(idle).stream().anyMatch(runs)) {
                idle.abandonEnd();
                use(idle);
            } else if (idle.beginExpiry()) {
                idle.expire();
            }
        }
    }

    /** Before it is due: while members agree on its end, no look-up finds it. */
    private void useIfOneRuns(String id, Predicate<Member> runs) {
        LiveSession signOn = sessions.idleBeyond(id, NEARLY_DUE) ? find(id) : null;
        if (signOn != null && members(signOn).stream().anyMatch(runs)) {
            use(signOn);
        }
    }

    /** It does no more. */
    public Commit part(String id, Member member) {
        LiveSession found = find(id);
        return found == null || found.containerAttributes().remove(MEMBER + member.name()) == null
                ? Commit.NOTHING
                : found.commit(Coherence.COHERENT);
    }

    /** The sessions that go with it. */
    public List<Member> members(String id) {
        LiveSession found = find(id);
        return found == null ? List.of() : members(found);
    }

    private static List<Member> members(LiveSession signOn) {
        List<Member> members = new ArrayList<>();
        for (String name : signOn.containerAttributes().keySet()) {
            if (name.startsWith(MEMBER)) {
                members.add(Member.of(name.substring(MEMBER.length())));
            }
        }
        return members;
    }

    /** Ends the sign-on everywhere. */
    public Commit end(String id) {
        LiveSession found = find(id);
        return found == null ? Commit.NOTHING : found.invalidate(Coherence.COHERENT);
    }
}
