package io.understudy.expiry;

import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.ExpiryMessage.Ask;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.GivenUp;
import io.understudy.expiry.ExpiryMessage.Orphans;
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
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one member wants to end, and what it has promised others to end. Among members that see each other, at most one
 * has a claim of a session granted: each needs the other's promise, and a member that promises gives up its own claim,
 * or has none.
 *
 * <p>Threads: one at a time, but for {@link #claimed}, {@link #over} and the counts, which any may ask. Every other
 * method returns what to do next.
 */
public final class EndClaims<M extends Comparable<? super M>> {

    /** Claims in one message; it then stays below 60 KB. */
    static final int MAX_CLAIMS = 2048;

    /** After how many {@link #remind}s a claimer is asked whether it still wants what it was promised. */
    static final int REMINDS = 10;

    private final M self;
    private final Function<SessionKey, SessionStatus> known;
    private final Function<SessionKey, M> heir;
    private final OwnClaims<M> own;
    private final Promises<M> promises;
    private final Inheritance<M> inheritance;
    private final Decisions<M> decisions = new Decisions<>();
    private Set<M> members = Set.of();

    /** Members that came, or did not answer in time, and have not been heard since: invalidations do not wait for them. */
    private final Set<M> silent = new TreeSet<>();

    /** Members that left of late, whose last messages may come now. */
    private final Set<M> departed = new TreeSet<>();

    private long numbers;

    /**
     * @param known asked after a promise is noted: who arrives here and sees no promise is seen by it
     * @param heir who is to claim what members that are gone were promised: the same for all who see the same members
     * @param numbers below that of the first claim; above all that this member used before
     */
    public EndClaims(M self, Function<SessionKey, SessionStatus> known, Function<SessionKey, M> heir, long numbers) {
        this(self, known, heir, numbers, new ConcurrentHashMap<>());
    }

    /** @param own is to hold its claims; empty */
    EndClaims(
            M self,
            Function<SessionKey, SessionStatus> known,
            Function<SessionKey, M> heir,
            long numbers,
            ConcurrentMap<SessionKey, LocalClaim<M>> own) {
        this.own = new OwnClaims<>(own);
        this.self = self;
        this.promises = new Promises<>(self);
        this.known = known;
        this.heir = heir;
        this.numbers = numbers;
        this.inheritance = new Inheritance<>(this.own, promises, known, heir, () -> ++this.numbers, decisions);
    }

    /** Whether somebody may be about to end the session. */
    public boolean claimed(SessionKey key) {
        return own.contains(key) || promises.holds(key);
    }

    /** Whether no request may have it again: only members that are gone wanted to end it, or another one does so for good. */
    public boolean over(SessionKey key) {
        return promises.over(key) && !own.contains(key);
    }

    /**
     * Whether no request may find it: it is {@linkplain #over over}, or this member, or one that has its promise, expires it.
     * A request that comes in time waits for the outcome before it looks.
     */
    public boolean hidden(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        return (mine != null && mine.claim.kind() == Kind.EXPIRY) || promises.expiring(key) || over(key);
    }

    /**
     * The claims of members that are gone, as far as they are this one's to repeat; of those that nobody took up for long, as
     * the heir could not, all.
     */
    public List<Claim> orphans() {
        return promises.orphans(key -> heir.apply(key).equals(self)).stream()
                .filter(claim -> !own.contains(claim.key()))
                .toList();
    }

    /** Whether a member that is gone wanted to end it, and may have called some of its listeners. */
    public boolean orphaned(SessionKey key) {
        return promises.anyOrphan(key);
    }

    /** How many sessions this member wants to end, or ends. */
    public int claims() {
        return own.size();
    }

    /** How many sessions other members want to end, or end. */
    public int promises() {
        return promises.count();
    }

    /** The sessions it may end, and has not begun to. */
    public List<SessionKey> granted() {
        return own.in(LocalClaim.State.GRANTED);
    }

    /** Whether it is ending some: their listeners run. */
    public boolean busy() {
        return !own.in(LocalClaim.State.BEGUN).isEmpty();
    }

    /**
     * This member wants to end sessions. Each gets its verdict, now or later.
     *
     * @param byRequest whether a request here found it idle for too long, which therefore is no use
     * @param slow members that an invalidation does not wait for, besides those that are silent
     */
    public List<ExpiryOutput<M>> claim(List<Claim> claims, boolean byRequest, Set<M> slow) {
        for (int from = 0; from < claims.size(); from += MAX_CLAIMS) {
            claimSome(claims.subList(from, Math.min(claims.size(), from + MAX_CLAIMS)), byRequest, slow);
        }
        return decisions.take();
    }

    private void claimSome(List<Claim> claims, boolean byRequest, Set<M> slow) {
        long number = ++numbers;
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
            Set<M> asked = new HashSet<>(members);
            own.put(claim.key(), new LocalClaim<>(number, claim, asked, slow, orphaned(claim.key())));
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
            members.forEach(member -> decisions.send(member, new Claims(number, sent)));
            sent.forEach(claim -> grantIfAnswered(claim.key()));
        }
    }

    private void grantIfAnswered(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine != null && mine.answered(silent)) {
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
        decisions.giveUp(members, mine.number, List.of(key));
    }

    /**
     * Takes an open claim for granted, as the members that have not answered can't be waited for. None of them can have
     * one granted: it would need this one's promise.
     *
     * @param silent whether later claims do not wait for these members until they answer
     */
    public List<ExpiryOutput<M>> force(SessionKey key, boolean silent) {
        LocalClaim<M> mine = own.get(key);
        if (mine != null && mine.state == LocalClaim.State.OPEN) {
            if (silent) {
                this.silent.addAll(mine.awaited);
            }
            grant(key);
        }
        return decisions.take();
    }

    /** Whose votes an open claim waits for. */
    public Set<M> awaited(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        return mine == null || mine.state != LocalClaim.State.OPEN ? Set.of() : Set.copyOf(mine.awaited);
    }

    /** Whether a session that may be expired here, and is not yet, was used after it was claimed. */
    public boolean usedSince(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine == null || mine.state != LocalClaim.State.GRANTED) {
            return false;
        }
        Veto veto = known.apply(key).veto(mine.claim, true);
        return veto != null && veto.reason() == Reason.USED;
    }

    /** The listeners of a session are about to be called: true if this member may still end the session. */
    public boolean begin(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine == null || mine.state != LocalClaim.State.GRANTED) {
            return false;
        }
        mine.state = LocalClaim.State.BEGUN;
        return true;
    }

    /** The end of a session was made known here, and goes out to the others. */
    public List<ExpiryOutput<M>> finish(SessionKey key) {
        if (own.remove(key) != null) {
            decisions.settled(key);
        }
        return decisions.take();
    }

    /** This member does not end those of these sessions that it has not begun to. */
    public List<ExpiryOutput<M>> giveUp(Collection<SessionKey> keys) {
        Map<Long, List<SessionKey>> byNumber = new TreeMap<>();
        for (SessionKey key : keys) {
            LocalClaim<M> mine = own.get(key);
            if (mine != null && mine.state != LocalClaim.State.BEGUN) {
                own.remove(key);
                byNumber.computeIfAbsent(mine.number, n -> new ArrayList<>()).add(key);
                decisions.settled(key);
            }
        }
        byNumber.forEach((number, some) -> decisions.giveUp(members, number, some));
        return decisions.take();
    }

    /** A request comes in time for a session that this member wants to expire: the request goes first if the end has not begun. */
    public List<ExpiryOutput<M>> spare(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        if (mine == null
                || mine.state == LocalClaim.State.BEGUN
                || mine.claim.kind() != Kind.EXPIRY
                || mine.inherited) {
            return List.of();
        }
        lost(key, self, Reason.IN_USE);
        return giveUp(List.of(key));
    }

    /** Gives up all that has not begun: others may have gone on without this member. */
    public List<ExpiryOutput<M>> giveUpAll() {
        List<SessionKey> idle = new ArrayList<>();
        own.forEach((key, mine) -> {
            if (mine.state != LocalClaim.State.BEGUN) {
                idle.add(key);
            }
        });
        idle.forEach(key -> lost(key, self, Reason.CLAIMED));
        return giveUp(idle);
    }

    /** The end of a session, or a judgement that did not end it, was merged here: what was promised is kept. */
    public List<ExpiryOutput<M>> settled(SessionKey key) {
        boolean changed = promises.remove(key);
        LocalClaim<M> mine = own.get(key);
        if (mine != null && mine.state != LocalClaim.State.BEGUN) {
            own.remove(key);
            if (!ended(key)) {
                withdraw(key, mine);
            }
            lost(key, self, Reason.ENDED);
            changed = true;
        }
        if (changed) {
            decisions.settled(key);
        }
        return decisions.take();
    }

    /**
     * The other members that have the application changed.
     *
     * @param serving whether this member serves requests. If so, new members are silent until they announce that they
     *     are ready to vote: one that stood still has much to catch up with
     */
    public List<ExpiryOutput<M>> enter(Collection<M> others, boolean serving) {
        Set<M> now = Set.copyOf(others);
        Set<M> come = new HashSet<>(now);
        come.removeAll(members);
        if (come.isEmpty() && now.size() == members.size()) {
            return decisions.take();
        }
        departed.addAll(members);
        departed.removeAll(now);
        members = now;
        silent.retainAll(now);
        if (serving) {
            silent.addAll(come);
        }
        inheritance.forgetHeirs();
        Map<Long, List<Claim>> told = new TreeMap<>();
        own.forEach((key, mine) -> {
            told.computeIfAbsent(mine.number, n -> new ArrayList<>()).add(mine.claim);
            if (mine.state != LocalClaim.State.BEGUN) {
                // Who comes may come from another side, which has a say in what has not begun.
                mine.awaited.addAll(come);
                mine.awaited.retainAll(now);
                mine.state = LocalClaim.State.OPEN;
                grantIfAnswered(key);
            }
        });
        told.putIfAbsent(++numbers, List.of());
        come.forEach(member -> told.forEach((number, claims) -> decisions.send(member, new Claims(number, claims))));
        promises.enter(now);
        promises.keys().forEach(key -> decisions.settled(key));
        inheritance.tellHeirs(members);
        return decisions.take();
    }

    public List<ExpiryOutput<M>> receive(M from, ExpiryMessage message) {
        silent.remove(from);
        if (message instanceof Claims claims) {
            List<Veto> vetoes = new ArrayList<>();
            for (Claim claim : claims.claims()) {
                Veto veto = vote(from, claims.number(), claim);
                if (veto != null) {
                    vetoes.add(veto);
                }
            }
            if (!claims.claims().isEmpty()) {
                decisions.send(from, new Votes(claims.number(), vetoes));
            }
        } else if (message instanceof Votes votes) {
            voted(from, votes);
        } else if (message instanceof GivenUp given) {
            given.keys().forEach(key -> unpromise(key, from, given.number()));
        } else if (message instanceof Orphans orphans) {
            inheritance.adopt(from, orphans, members);
        } else if (message instanceof Ask ask) {
            List<SessionKey> unwanted = ask.keys().stream()
                    .filter(key -> {
                        LocalClaim<M> mine = own.get(key);
                        return (mine == null || mine.number != ask.number()) && !ended(key);
                    })
                    .toList();
            if (!unwanted.isEmpty()) {
                decisions.send(from, new GivenUp(ask.number(), unwanted));
            }
        }
        return decisions.take();
    }

    /** What is over here is not given up: its tombstone is on its way. */
    private boolean ended(SessionKey key) {
        SessionStatus here = known.apply(key);
        return here.ending() != null && here.ending().ends(here.lastUse());
    }

    private @Nullable Veto vote(M from, long number, Claim claim) {
        SessionKey key = claim.key();
        boolean gone = departed.contains(from);
        promises.promise(key, from, new Promise(number, claim, gone, 0));
        Veto veto = known.apply(key).veto(claim, false);
        LocalClaim<M> mine = own.get(key);
        if (veto == null && mine != null) {
            if (mine.state != LocalClaim.State.OPEN || mine.claim.before(self, claim, from)) {
                veto = new Veto(key, Reason.CLAIMED, null, 0);
            } else {
                own.remove(key);
                withdraw(key, mine);
                lost(key, from, Reason.CLAIMED);
            }
        }
        if (veto != null) {
            unpromise(key, from, number);
        } else if (gone) {
            inheritance.tellHeirs(members);
        }
        return veto;
    }

    private void unpromise(SessionKey key, M to, long number) {
        if (promises.withdraw(key, to, number)) {
            decisions.settled(key);
        }
    }

    private void voted(M from, Votes votes) {
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
        decisions.giveUp(members, votes.number(), withdrawn);
        for (SessionKey key : own.numbered(votes.number())) {
            LocalClaim<M> mine = own.get(key);
            if (mine != null && mine.awaited.remove(from)) {
                grantIfAnswered(key);
            }
        }
    }

    /**
     * To be called now and then: asks for what was promised long ago, as a claimer that was apart may have given it up. One
     * that is still not here is gone.
     */
    public List<ExpiryOutput<M>> remind() {
        departed.clear();
        promises.remind(members)
                .forEach((member, keys) ->
                        keys.forEach((number, some) -> decisions.send(member, new Ask(number, some))));
        inheritance.tellHeirs(members);
        return decisions.take();
    }

    /** All it knows, for tests and people. */
    @Override
    public String toString() {
        return self + " with " + new TreeSet<>(members) + " claims " + own + ", promised " + promises;
    }
}
