package io.understudy.expiry;

import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.ExpiryMessage.Ask;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.Reason;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.replica.SessionKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * This member as one that wants to end sessions: it claims them, counts the votes of the others, and begins an end, or
 * loses it.
 *
 * <p>Threads: one at a time.
 */
final class Claimant<M extends Comparable<? super M>> {

    private final M self;
    private final Function<SessionKey, SessionStatus> known;
    private final LongSupplier numbers;
    private final OwnClaims<M> own;
    private final Promises<M> promises;
    private final Inheritance<M> inheritance;
    private final Electorate<M> electorate;
    private final Decisions<M> decisions;

    /**
     * @param known asked after a claim is noted
     * @param numbers gives the next number of a message
     */
    Claimant(
            M self,
            Function<SessionKey, SessionStatus> known,
            LongSupplier numbers,
            OwnClaims<M> own,
            Promises<M> promises,
            Inheritance<M> inheritance,
            Electorate<M> electorate,
            Decisions<M> decisions) {
        this.self = self;
        this.known = known;
        this.numbers = numbers;
        this.own = own;
        this.promises = promises;
        this.inheritance = inheritance;
        this.electorate = electorate;
        this.decisions = decisions;
    }

    /** @param slow members that an invalidation does not wait for, besides those that are silent */
    void claim(List<Claim> claims, boolean byRequest, Set<M> slow) {
        for (int from = 0; from < claims.size(); from += EndClaims.MAX_CLAIMS) {
            claimSome(claims.subList(from, Math.min(claims.size(), from + EndClaims.MAX_CLAIMS)), byRequest, slow);
        }
    }

    private void claimSome(List<Claim> claims, boolean byRequest, Set<M> slow) {
        long number = numbers.getAsLong();
        List<Claim> sent = new ArrayList<>();
        for (Claim claim : claims) {
            LocalClaim<M> mine = own.get(claim.key());
            if (mine != null && mine.state == LocalClaim.State.BEGUN) {
                lost(claim.key(), self, Reason.CLAIMED);
                continue;
            }
            if (mine != null && mine.state == LocalClaim.State.GRANTED) {
                if (mine.claim.kind().compareTo(claim.kind()) < 0) {
                    LocalClaim<M> stronger =
                            new LocalClaim<>(mine.number, claim, mine.awaited, mine.slow, mine.inherited);
                    stronger.state = LocalClaim.State.GRANTED;
                    own.put(claim.key(), stronger);
                }
                decisions.granted(claim.key());
                continue;
            }
            if (mine != null && mine.claim.kind() == claim.kind()) {
                continue; // Another thread is at it: its verdict serves this one, too.
            }
            if ((mine != null && mine.claim.kind().compareTo(claim.kind()) > 0) || promises.toOneHere(claim)) {
                lost(claim.key(), self, Reason.CLAIMED);
                continue;
            }
            Set<M> asked = new HashSet<>(electorate.members());
            own.put(claim.key(), new LocalClaim<>(number, claim, asked, slow, promises.anyOrphan(claim.key())));
            SessionStatus here = known.apply(claim.key());
            Veto veto = here.veto(claim, byRequest);
            if (here.unshared()) {
                asked.clear();
            }
            if (veto != null) {
                own.remove(claim.key());
                if (mine != null) {
                    withdraw(claim.key(), mine);
                }
                inheritance.drop(veto);
                decisions.lost(self, veto);
            } else if (asked.isEmpty()) {
                grant(claim.key());
            } else {
                sent.add(claim);
            }
        }
        if (!sent.isEmpty()) {
            electorate.members().forEach(member -> decisions.send(member, new Claims(number, sent)));
            sent.forEach(claim -> grantIfAnswered(claim.key()));
        }
    }

    private void grantIfAnswered(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine != null && mine.answered(electorate.silent())) {
            grant(key);
        }
    }

    private void grant(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine != null && mine.state == LocalClaim.State.OPEN) {
            mine.state = LocalClaim.State.GRANTED;
            decisions.granted(key);
        }
    }

    private void lost(SessionKey key, M by, Reason reason) {
        decisions.lost(by, new Veto(key, reason, null, 0));
    }

    private void withdraw(SessionKey key, LocalClaim<M> mine) {
        decisions.giveUp(electorate.members(), mine.number, List.of(key));
    }

    /** Takes an open claim for granted. */
    void force(SessionKey key, boolean silent) {
        LocalClaim<M> mine = own.get(key);
        if (mine != null && mine.state == LocalClaim.State.OPEN) {
            if (silent) {
                electorate.unheard(mine.awaited);
            }
            grant(key);
        }
    }

    /** Whose votes an open claim waits for. */
    Set<M> awaited(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        return mine == null || mine.state != LocalClaim.State.OPEN ? Set.of() : Set.copyOf(mine.awaited);
    }

    /** Whether a session that may be expired here, and is not yet, was used after it was claimed. */
    boolean usedSince(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine == null || mine.state != LocalClaim.State.GRANTED) {
            return false;
        }
        Veto veto = known.apply(key).veto(mine.claim, true);
        return veto != null && veto.reason() == Reason.USED;
    }

    /** The listeners of a session are about to be called: true if this member may still end the session. */
    boolean begin(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine == null || mine.state != LocalClaim.State.GRANTED) {
            return false;
        }
        mine.state = LocalClaim.State.BEGUN;
        return true;
    }

    /** The end of a session was made known here, and goes out to the others. */
    void finish(SessionKey key) {
        if (own.remove(key) != null) {
            decisions.settled(key);
        }
    }

    /** This member does not end those of these sessions that it has not begun to. */
    void giveUp(Collection<SessionKey> keys) {
        Map<Long, List<SessionKey>> byNumber = new TreeMap<>();
        for (SessionKey key : keys) {
            LocalClaim<M> mine = own.get(key);
            if (mine != null && mine.state != LocalClaim.State.BEGUN) {
                own.remove(key);
                byNumber.computeIfAbsent(mine.number, n -> new ArrayList<>()).add(key);
                decisions.settled(key);
            }
        }
        byNumber.forEach((number, some) -> decisions.giveUp(electorate.members(), number, some));
    }

    /** A request comes in time for a session that this member wants to expire: the request goes first if the end has not begun. */
    void spare(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine == null
                || mine.state == LocalClaim.State.BEGUN
                || mine.claim.kind() != Kind.EXPIRY
                || mine.inherited) {
            return;
        }
        lost(key, self, Reason.IN_USE);
        giveUp(List.of(key));
    }

    /** Gives up all that has not begun. */
    void giveUpAll() {
        List<SessionKey> idle = new ArrayList<>();
        own.forEach((key, mine) -> {
            if (mine.state != LocalClaim.State.BEGUN) {
                idle.add(key);
            }
        });
        idle.forEach(key -> lost(key, self, Reason.CLAIMED));
        giveUp(idle);
    }

    /**
     * The end of a session, or a judgement that did not end it, was merged here.
     *
     * @return whether a claim is lost by that
     */
    boolean settled(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine == null || mine.state == LocalClaim.State.BEGUN) {
            return false;
        }
        own.remove(key);
        if (!ended(key)) {
            withdraw(key, mine);
        }
        lost(key, self, Reason.ENDED);
        return true;
    }

    /** Announces all claims to members that come. Those that have not begun wait for their votes. */
    void enter(Set<M> come) {
        Map<Long, List<Claim>> told = new TreeMap<>();
        own.forEach((key, mine) -> {
            told.computeIfAbsent(mine.number, n -> new ArrayList<>()).add(mine.claim);
            if (mine.state != LocalClaim.State.BEGUN) {
                // Who comes may come from another side, which has a say in what has not begun.
                mine.awaited.addAll(come);
                mine.awaited.retainAll(electorate.members());
                mine.state = LocalClaim.State.OPEN;
                grantIfAnswered(key);
            }
        });
        told.putIfAbsent(numbers.getAsLong(), List.of());
        come.forEach(member -> told.forEach((number, claims) -> decisions.send(member, new Claims(number, claims))));
    }

    /**
     * Another member claims a session, too. The claim that comes later in the order of claims is given up.
     *
     * @return whether there is no claim here any more
     */
    boolean giveWay(Claim claim, M from) {
        SessionKey key = claim.key();
        LocalClaim<M> mine = own.get(key);
        if (mine == null) {
            return true;
        }
        if (mine.state != LocalClaim.State.OPEN || mine.claim.before(self, claim, from)) {
            return false;
        }
        own.remove(key);
        withdraw(key, mine);
        lost(key, from, Reason.CLAIMED);
        return true;
    }

    void voted(M from, Votes votes) {
        List<SessionKey> withdrawn = new ArrayList<>();
        for (Veto veto : votes.vetoes()) {
            LocalClaim<M> mine = own.get(veto.key());
            if (mine != null && mine.number == votes.number() && mine.state != LocalClaim.State.BEGUN) {
                own.remove(veto.key());
                withdrawn.add(veto.key());
                inheritance.drop(veto);
                decisions.lost(from, veto);
                decisions.settled(veto.key());
            } else {
                inheritance.overruled(from, votes.number(), veto);
            }
        }
        decisions.giveUp(electorate.members(), votes.number(), withdrawn);
        for (SessionKey key : own.numbered(votes.number())) {
            LocalClaim<M> mine = own.get(key);
            if (mine != null && mine.awaited.remove(from)) {
                grantIfAnswered(key);
            }
        }
    }

    /** The sessions of this question that this member does not want to end any more. */
    List<SessionKey> unwanted(Ask ask) {
        return ask.keys().stream()
                .filter(key -> {
                    LocalClaim<M> mine = own.get(key);
                    return (mine == null || mine.number != ask.number()) && !ended(key);
                })
                .toList();
    }

    /** What is over here is not given up: its tombstone is on its way. */
    private boolean ended(SessionKey key) {
        SessionStatus here = known.apply(key);
        return here.ending() != null && here.ending().ends(here.lastUse());
    }
}
