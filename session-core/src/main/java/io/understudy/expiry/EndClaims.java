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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
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
    private final Claimant<M> claimant;
    private final Electorate<M> electorate = new Electorate<>();
    private final Decisions<M> decisions = new Decisions<>();
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
        LongSupplier next = () -> ++this.numbers;
        this.inheritance = new Inheritance<>(this.own, promises, known, heir, next, decisions);
        this.claimant = new Claimant<>(self, known, next, this.own, promises, inheritance, electorate, decisions);
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

    /** Whether it may end this one, and has not begun to. */
    public boolean granted(SessionKey key) {
        LocalClaim<M> mine = own.get(key);
        return mine != null && mine.state == LocalClaim.State.GRANTED;
    }

    /** Whether a claim for the same reason is open or granted: what another claim got is no verdict on it. */
    public boolean undecided(Claim claim) {
        LocalClaim<M> mine = own.get(claim.key());
        return mine != null && mine.state != LocalClaim.State.BEGUN && mine.claim.kind() == claim.kind();
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
        claimant.claim(claims, byRequest, slow);
        return decisions.take();
    }

    /**
     * Takes an open claim for granted, as the members that have not answered can't be waited for. None of them can have
     * one granted: it would need this one's promise.
     *
     * @param silent whether later claims do not wait for these members until they answer
     */
    public List<ExpiryOutput<M>> force(SessionKey key, boolean silent) {
        claimant.force(key, silent);
        return decisions.take();
    }

    /** Whose votes an open claim waits for. */
    public Set<M> awaited(SessionKey key) {
        return claimant.awaited(key);
    }

    /** Whether a session that may be expired here, and is not yet, was used after it was claimed. */
    public boolean usedSince(SessionKey key) {
        return claimant.usedSince(key);
    }

    /** The listeners of a session are about to be called: true if this member may still end the session. */
    public boolean begin(SessionKey key) {
        return claimant.begin(key);
    }

    /** The end of a session was made known here, and goes out to the others. */
    public List<ExpiryOutput<M>> finish(SessionKey key) {
        claimant.finish(key);
        return decisions.take();
    }

    /** This member does not end those of these sessions that it has not begun to. */
    public List<ExpiryOutput<M>> giveUp(Collection<SessionKey> keys) {
        claimant.giveUp(keys);
        return decisions.take();
    }

    /** A request comes in time for a session that this member wants to expire: the request goes first if the end has not begun. */
    public List<ExpiryOutput<M>> spare(SessionKey key) {
        claimant.spare(key);
        return decisions.take();
    }

    /** Gives up all that has not begun: others may have gone on without this member. */
    public List<ExpiryOutput<M>> giveUpAll() {
        claimant.giveUpAll();
        return decisions.take();
    }

    /** The end of a session, or a judgement that did not end it, was merged here: what was promised is kept. */
    public List<ExpiryOutput<M>> settled(SessionKey key) {
        boolean kept = promises.remove(key);
        if (claimant.settled(key) || kept) {
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
        Set<M> come = electorate.change(others, serving);
        if (come == null) {
            return decisions.take();
        }
        inheritance.forgetHeirs();
        claimant.enter(come);
        promises.enter(electorate.members());
        promises.keys().forEach(decisions::settled);
        inheritance.tellHeirs(electorate.members());
        return decisions.take();
    }

    public List<ExpiryOutput<M>> receive(M from, ExpiryMessage message) {
        electorate.heard(from);
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
            claimant.voted(from, votes);
        } else if (message instanceof GivenUp given) {
            given.keys().forEach(key -> unpromise(key, from, given.number()));
        } else if (message instanceof Orphans orphans) {
            inheritance.adopt(from, orphans, electorate.members());
        } else if (message instanceof Ask ask) {
            List<SessionKey> unwanted = claimant.unwanted(ask);
            if (!unwanted.isEmpty()) {
                decisions.send(from, new GivenUp(ask.number(), unwanted));
            }
        }
        return decisions.take();
    }

    private @Nullable Veto vote(M from, long number, Claim claim) {
        SessionKey key = claim.key();
        boolean gone = electorate.hasLeft(from);
        promises.promise(key, from, new Promise(number, claim, gone, 0));
        Veto veto = known.apply(key).veto(claim, false);
        if (veto == null && !claimant.giveWay(claim, from)) {
            veto = new Veto(key, Reason.CLAIMED, null, 0);
        }
        if (veto != null) {
            unpromise(key, from, number);
        } else if (gone) {
            inheritance.tellHeirs(electorate.members());
        }
        return veto;
    }

    private void unpromise(SessionKey key, M to, long number) {
        if (promises.withdraw(key, to, number)) {
            decisions.settled(key);
        }
    }

    /**
     * To be called now and then: asks for what was promised long ago, as a claimer that was apart may have given it up. One
     * that is still not here is gone.
     */
    public List<ExpiryOutput<M>> remind() {
        electorate.forgetDeparted();
        promises.remind(electorate.members())
                .forEach((member, keys) ->
                        keys.forEach((number, some) -> decisions.send(member, new Ask(number, some))));
        inheritance.tellHeirs(electorate.members());
        return decisions.take();
    }

    /** All it knows, for tests and people. */
    @Override
    public String toString() {
        return self + " with " + electorate + " claims " + own + ", promised " + promises;
    }
}
