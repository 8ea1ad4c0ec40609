package io.understudy.session.expiry;

import io.understudy.cluster.expiry.ClusterExpiry;
import io.understudy.expiry.Claim;
import io.understudy.replica.SessionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks once for the sessions that this node has to end, and claims them in batches. A request that comes in time for a claimed
 * session waits, so that no more are claimed than are soon over.
 *
 * <p>Threads: one at a time.
 *
 * @param <S> a session in use
 */
final class ExpiryScan<S> {

    /** Sessions that are claimed at once. */
    static final int BATCH = 256;

    /** How long members may take to vote on expiries: these can be claimed again. */
    static final Duration VOTE_LIMIT = Duration.ofSeconds(2);

    /**
     * A session that may be due.
     *
     * @param still whether it is. Asked after the claim was made: of a use between the two the claim knows nothing, so the
     *     other members object. The other way round the claim would be made in the knowledge of that use, and none would.
     */
    record Due<S>(S session, BooleanSupplier still) {}

    private final ClusterExpiry expiry;
    private final EndableSessions<S> sessions;
    private final Supplier<Stream<Due<S>>> look;
    private final Function<SessionKey, @Nullable S> find;

    /** Claims of members that are gone, taken up once. */
    private final Set<SessionKey> inherited = new HashSet<>();

    private Iterator<Due<S>> due = Collections.emptyIterator();
    private boolean begun;
    private boolean over;

    /**
     * @param look called once, and only if this node may claim; its sessions are looked at batch by batch
     * @param find gives a session that is not over
     */
    ExpiryScan(
            ClusterExpiry expiry,
            EndableSessions<S> sessions,
            Supplier<Stream<Due<S>>> look,
            Function<SessionKey, @Nullable S> find) {
        this.expiry = expiry;
        this.sessions = sessions;
        this.look = look;
        this.find = find;
    }

    /** Whether there is nothing more to claim, or not all members answer. */
    boolean over() {
        return over;
    }

    /** Claims the next batch. Returns what of it may be ended here, the first time also what an earlier look left. */
    List<S> next() {
        Map<SessionKey, S> wanted = new LinkedHashMap<>();
        if (!begun) {
            takeLeft(wanted);
        }
        over = !expiry.mayExpire();
        if (!over) {
            if (!begun) {
                due = look.get().iterator();
            }
            List<Claim> claims = new ArrayList<>();
            inherit(claims, wanted);
            takeDue(claims, wanted);
            over = claims.size() < BATCH;
            over |= !expiry.claim(claims, VOTE_LIMIT);
        }
        begun = true;
        List<S> granted = new ArrayList<>();
        for (SessionKey key : expiry.granted()) {
            S session = wanted.get(key);
            if (session != null) {
                granted.add(session);
            }
        }
        return granted;
    }

    private void takeLeft(Map<SessionKey, S> wanted) {
        List<SessionKey> unwanted = new ArrayList<>();
        for (SessionKey key : expiry.granted()) {
            S left = find.apply(key);
            if (left == null || sessions.inUse(left)) {
                unwanted.add(key);
            } else {
                wanted.put(key, left);
            }
        }
        if (!unwanted.isEmpty()) {
            expiry.giveUp(unwanted);
        }
    }

    private void inherit(List<Claim> claims, Map<SessionKey, S> wanted) {
        for (Claim orphan : expiry.orphans()) {
            if (claims.size() == BATCH) {
                return;
            }
            if (!inherited.add(orphan.key())) {
                continue; // Another member knows better, and its news is on its way.
            }
            S session = find.apply(orphan.key());
            if (session == null) {
                expiry.finish(orphan.key());
            } else {
                sessions.inherit(session, orphan);
                claims.add(orphan);
                wanted.put(orphan.key(), session);
            }
        }
    }

    private void takeDue(List<Claim> claims, Map<SessionKey, S> wanted) {
        while (claims.size() < BATCH && due.hasNext()) {
            Due<S> found = due.next();
            S session = found.session();
            Claim claim = sessions.claim(session, Claim.Kind.EXPIRY);
            if (!wanted.containsKey(sessions.key(session)) && found.still().getAsBoolean()) {
                claims.add(claim);
                wanted.put(sessions.key(session), session);
            }
        }
    }
}
