package io.understudy.rehearsal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.codec.WireText;
import io.understudy.replica.SessionKey;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The causes why this node could not take over sessions of one application, each with some of the sessions. A cause is
 * logged when it begins, and when it had no session for a minute.
 *
 * <p>Threads: any; guarded by this.
 */
final class RehearsalFailures {

    private static final Logger LOG = System.getLogger(TakeOverRehearsal.class.getName());

    /** Most causes with a log line; the sessions of further ones are counted. */
    private static final int MAX_CAUSES = 100;

    /** Most sessions that are remembered for each cause. */
    private static final int MAX_EXAMPLES = 20;

    /** A cause ends when it had no session for this time, in milliseconds. */
    static final long ENDED_AFTER_MILLIS = 60_000;

    private static final class Found {

        private final RehearsalFailure first;
        private final Set<SessionKey> examples = new LinkedHashSet<>();
        private long lastMillis;

        Found(RehearsalFailure first) {
            this.first = first;
        }

        String attribute() {
            return WireText.shown(first.attribute());
        }
    }

    private final String label;

    @GuardedBy("this")
    private final Map<RehearsalCause, Found> causes = new LinkedHashMap<>();

    /** @param label of the application on its node */
    RehearsalFailures(String label) {
        this.label = label;
    }

    /**
     * Replaces what is known of a session.
     *
     * @param failures empty if the node could take it over
     * @return whether it is remembered, and was not before
     */
    synchronized boolean found(SessionKey session, List<RehearsalFailure> failures, long nowMillis) {
        Map<RehearsalCause, RehearsalFailure> now = new LinkedHashMap<>();
        failures.forEach(failure -> now.putIfAbsent(RehearsalCause.of(failure), failure));
        boolean before = false;
        for (Map.Entry<RehearsalCause, Found> each : causes.entrySet()) {
            before |= now.containsKey(each.getKey())
                    ? each.getValue().examples.contains(session)
                    : each.getValue().examples.remove(session);
        }
        boolean remembered = false;
        for (Map.Entry<RehearsalCause, RehearsalFailure> each : now.entrySet()) {
            remembered |= add(each.getKey(), each.getValue(), session, nowMillis);
        }
        return remembered && !before;
    }

    @GuardedBy("this")
    private boolean add(RehearsalCause cause, RehearsalFailure failure, SessionKey session, long nowMillis) {
        Found found = causes.get(cause);
        if (found == null) {
            if (causes.size() >= MAX_CAUSES) {
                return false;
            }
            found = new Found(failure);
            causes.put(cause, found);
            LOG.log(
                    cause.reason().level(),
                    "{0} - take-over rehearsal: attribute ''{1}'', as in session {2} of another member, would not survive on this"
                            + " node ({3}): {4} ({5}). This is logged once, and again when it has ended",
                    label,
                    found.attribute(),
                    session,
                    cause.reason().key(),
                    cause.reason().meaning(),
                    failure.text());
        }
        found.lastMillis = nowMillis;
        return found.examples.size() < MAX_EXAMPLES && found.examples.add(session);
    }

    /** The remembered sessions. Those that are gone have to be {@linkplain #forget forgotten}. */
    synchronized Set<SessionKey> sessions() {
        Set<SessionKey> sessions = new LinkedHashSet<>();
        causes.values().forEach(found -> sessions.addAll(found.examples));
        return sessions;
    }

    /** How many sessions are remembered for each reason. */
    synchronized Map<RehearsalReason, Long> remembered() {
        Map<SessionKey, RehearsalReason> worst = new HashMap<>();
        causes.forEach((cause, found) -> found.examples.forEach(session ->
                worst.merge(session, cause.reason(), (one, other) -> one.number() < other.number() ? one : other)));
        Map<RehearsalReason, Long> counts = new HashMap<>();
        worst.values().forEach(reason -> counts.merge(reason, 1L, Long::sum));
        return counts;
    }

    synchronized void forget(SessionKey session) {
        causes.values().forEach(found -> found.examples.remove(session));
    }

    /**
     * Whether a cause with this reason has no session, or none has this reason: a session that fails for it has to be
     * rehearsed again, so that no cause ends while it has sessions that are not remembered.
     */
    synchronized boolean lacks(RehearsalReason reason) {
        boolean any = causes.size() >= MAX_CAUSES;
        for (Map.Entry<RehearsalCause, Found> each : causes.entrySet()) {
            if (each.getKey().reason() == reason) {
                any = true;
                if (each.getValue().examples.isEmpty()) {
                    return true;
                }
            }
        }
        return !any;
    }

    /** To be called after each round. */
    synchronized void endOfRound(long nowMillis) {
        Iterator<Map.Entry<RehearsalCause, Found>> each = causes.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<RehearsalCause, Found> entry = each.next();
            Found found = entry.getValue();
            if (!found.examples.isEmpty()) {
                found.lastMillis = nowMillis;
            } else if (nowMillis - found.lastMillis >= ENDED_AFTER_MILLIS) {
                each.remove();
                LOG.log(
                        Level.INFO,
                        "{0} - take-over rehearsal: attribute ''{1}'' fails no more ({2}: {3})",
                        label,
                        found.attribute(),
                        entry.getKey().reason().key(),
                        found.first.text());
            }
        }
    }

    /** One line for each cause that has sessions. */
    synchronized List<String> lines() {
        List<String> lines = new ArrayList<>();
        causes.forEach((cause, found) -> {
            if (!found.examples.isEmpty()) {
                lines.add(label + " - attribute '" + found.attribute() + "' would not survive here ("
                        + cause.reason().key() + "): " + found.first.text() + "; sessions " + found.examples);
            }
        });
        return lines;
    }
}
