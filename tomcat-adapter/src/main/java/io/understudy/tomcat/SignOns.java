package io.understudy.tomcat;

import io.understudy.Commit;
import io.understudy.LiveSession;
import io.understudy.ReplicatedSessions;
import io.understudy.config.Coherence;
import java.security.Principal;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.catalina.authenticator.SingleSignOnEntry;
import org.jspecify.annotations.Nullable;

/**
 * Who is signed on, by the id in the cookie: each is a replicated session of its own, which holds the principal and the
 * sessions of applications that go with it. As a map it is what {@code SingleSignOn} looks them up in.
 *
 * <p>Threads: any. No look-up waits.
 */
final class SignOns extends AbstractMap<String, SingleSignOnEntry> {

    /** A session of an application that belongs to somebody who is signed on. */
    record Member(String host, String context, String id) {

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

    private final ReplicatedSessions sessions;

    SignOns(ReplicatedSessions sessions) {
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
        throw new UnsupportedOperationException("sign-ons are looked up one by one");
    }

    /** Somebody signs on, or shows again who they are. */
    Commit sign(String id, @Nullable Principal principal, @Nullable String authType) {
        LiveSession known = find(id);
        LiveSession session = known != null ? known : sessions.create(id, 0);
        LoginState login = new LoginState(session.containerAttributes());
        login.principal(principal);
        login.authType(authType);
        return session.commit(Coherence.COHERENT);
    }

    /** The session goes with the sign-on from now on. */
    Commit join(String id, Member member) {
        LiveSession found = find(id);
        String name = MEMBER + member.name();
        if (found == null || found.containerAttributes().containsKey(name)) {
            return Commit.NOTHING;
        }
        found.containerAttributes().put(name, true);
        return found.commit(Coherence.COHERENT);
    }

    /** It does no more. */
    Commit part(String id, Member member) {
        LiveSession found = find(id);
        return found == null || found.containerAttributes().remove(MEMBER + member.name()) == null
                ? Commit.NOTHING
                : found.commit(Coherence.COHERENT);
    }

    /** The sessions that go with it. */
    List<Member> members(String id) {
        LiveSession found = find(id);
        List<Member> members = new ArrayList<>();
        if (found != null) {
            for (String name : found.containerAttributes().keySet()) {
                if (name.startsWith(MEMBER)) {
                    members.add(Member.of(name.substring(MEMBER.length())));
                }
            }
        }
        return members;
    }

    /** Ends the sign-on everywhere. */
    Commit end(String id) {
        LiveSession found = find(id);
        return found == null ? Commit.NOTHING : found.invalidate(Coherence.COHERENT);
    }
}
