package io.understudy.expiry;

import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.ExpiryMessage.Orphans;
import io.understudy.expiry.ExpiryMessage.Reason;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.replica.SessionKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Passes on what members that are gone were promised: each voter tells the heir, which takes it up, or knows better.
 *
 * <p>Threads: one at a time.
 */
final class Inheritance<M extends Comparable<? super M>> {

    private final OwnClaims<M> own;
    private final Promises<M> promises;
    private final Function<SessionKey, SessionStatus> known;
    private final Function<SessionKey, M> heir;
    private final LongSupplier numbers;
    private final Decisions<M> decisions;

    /** The numbers under which heirs were told of orphans. */
    private final Set<Long> told = new HashSet<>();

    /**
     * @param known asked after a promise is noted
     * @param heir the same for all who see the same members
     * @param numbers gives the next number of a message
     */
    Inheritance(
            OwnClaims<M> own,
            Promises<M> promises,
            Function<SessionKey, SessionStatus> known,
            Function<SessionKey, M> heir,
            LongSupplier numbers,
            Decisions<M> decisions) {
        this.own = own;
        this.promises = promises;
        this.known = known;
        this.heir = heir;
        this.numbers = numbers;
        this.decisions = decisions;
    }

    /** There may be other heirs now. */
    void forgetHeirs() {
        told.clear();
    }

    /** The heir may have promised nothing itself, and then knows of nothing. */
    void tellHeirs(Set<M> members) {
        Map<M, List<Claim>> orphans = promises.newOrphans(own.keys(), heir);
        orphans.keySet().retainAll(members);
        orphans.forEach((to, claims) -> {
            for (int from = 0; from < claims.size(); from += EndClaims.MAX_CLAIMS) {
                long number = numbers.getAsLong();
                told.add(number);
                int end = Math.min(claims.size(), from + EndClaims.MAX_CLAIMS);
                decisions.send(to, new Orphans(number, claims.subList(from, end)));
            }
        });
    }

    /** As the heir. */
    void adopt(M from, Orphans orphans, Set<M> members) {
        List<Veto> vetoes = new ArrayList<>();
        for (Claim claim : orphans.claims()) {
            if (own.contains(claim.key())) {
                continue; // The sender has promised that one by now.
            }
            promises.adopt(claim, orphans.number(), members);
            Claim orphan = promises.orphan(claim.key());
            Veto veto = orphan == null ? null : known.apply(orphan.key()).veto(orphan, false);
            if (veto != null) {
                promises.removeOrphans(claim.key());
                vetoes.add(veto);
            }
        }
        if (!vetoes.isEmpty()) {
            decisions.send(from, new Votes(orphans.number(), vetoes));
        }
    }

    /** The heir, if it was told under this number, knows better what became of a session than the member that is gone. */
    void overruled(M from, long number, Veto veto) {
        Claim orphan = !told.contains(number) || own.contains(veto.key()) ? null : promises.orphan(veto.key());
        if (orphan != null && (orphan.kind() == Kind.EXPIRY || veto.reason() == Reason.ENDED)) {
            drop(veto);
            decisions.lost(from, veto);
            decisions.settled(veto.key());
        }
    }

    /** Who is gone had not begun, as the member that knows better never promised it; or it is over, and that comes here. */
    void drop(Veto veto) {
        if (veto.reason() != Reason.ENDED) {
            promises.removeOrphans(veto.key());
        }
    }
}
