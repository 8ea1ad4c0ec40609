package io.understudy.cluster;

import io.understudy.cluster.convergence.ReconcileResponder;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import io.understudy.wire.Frame.Beginnings;
import io.understudy.wire.Frame.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Sessions that began here without attributes and are to be announced: all together, when the interval is over. A change
 * of one of them before that carries it whole.
 *
 * <p>Threads: any.
 */
final class PendingAnnouncements {

    /** Sessions in one frame: about 400 KB. */
    private static final int MAX_BEGINNINGS = 4096;

    private final LocalApplication application;
    private final FrameSender letters;
    private final ReconcileResponder answers;
    private final ReplicationMetrics metrics;
    private final Predicate<SessionKey> claimed;
    private final Set<SessionKey> keys = ConcurrentHashMap.newKeySet();

    /** @param claimed whether somebody may be about to end a session */
    PendingAnnouncements(
            LocalApplication application,
            FrameSender letters,
            ReconcileResponder answers,
            ReplicationMetrics metrics,
            Predicate<SessionKey> claimed) {
        this.application = application;
        this.letters = letters;
        this.answers = answers;
        this.metrics = metrics;
        this.claimed = claimed;
    }

    /** It is announced with the next, unless it goes out by itself before. */
    void note(SessionKey key) {
        keys.add(key);
    }

    /**
     * A member asks for a session by its id, and is about to be told; the others are with the next announcement. To be called
     * before claims are looked at: who ends a session that is not shared asks nobody.
     */
    void askedFor(String id) {
        StoredReplica found = application.store().header(id);
        if (found != null && found.unshared()) {
            application.store().share(found.replica().key());
            note(found.replica().key());
        }
    }

    /** Whether it is announced with the next. */
    boolean noted(SessionKey key) {
        return keys.contains(key);
    }

    /** A change goes out that carries it whole. */
    void sent(SessionKey key) {
        keys.remove(key);
    }

    /** Sends all but those that are being ended: their turn comes when that was given up. What can't be sent stays. */
    void send() {
        List<SessionKey> noted = List.copyOf(keys);
        boolean sent = false;
        try {
            send(noted);
            sent = true;
        } finally {
            if (!sent) {
                keys.addAll(noted); // Shared already: what is told twice is as good as once.
            }
        }
    }

    private void send(List<SessionKey> noted) {
        List<Update> begun = new ArrayList<>();
        for (SessionKey key : noted) {
            // Before the looks: who changes or ends it from now on finds that it is announced.
            application.store().share(key);
            if (keys.remove(key)) {
                if (claimed.test(key)) {
                    note(key);
                    continue;
                }
                StoredReplica stored = application.store().whole(key);
                if (stored != null && stored.replica().live()) {
                    begun.add(answers.update(stored));
                }
            }
        }
        for (int from = 0; from < begun.size(); from += MAX_BEGINNINGS) {
            List<Update> part = List.copyOf(begun.subList(from, Math.min(begun.size(), from + MAX_BEGINNINGS)));
            metrics.count(Counter.SESSIONS_ANNOUNCED, part.size());
            metrics.count(Counter.ANNOUNCEMENTS_SENT);
            letters.sendToAll(new Beginnings(application.number(), part));
        }
    }
}
