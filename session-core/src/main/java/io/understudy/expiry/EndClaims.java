package io.understudy.expiry;

import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.ExpiryMessage.Ask;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.GivenUp;
import io.understudy.expiry.ExpiryMessage.Reason;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.expiry.ExpiryOutput.Granted;
import io.understudy.expiry.ExpiryOutput.Lost;
import io.understudy.expiry.ExpiryOutput.Send;
import io.understudy.expiry.ExpiryOutput.Settled;
import io.understudy.replica.SessionKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What one member wants to end, and what it has promised others to end. Of members that see each other at most one has a
 * claim of a session granted: each needs the other's promise, and who promises gives up its own claim, or has none.
 *
 * <p>Threads: one at a time, but for {@link #claimed}, {@link #over} and the counts, which any may ask. Every other method returns
 * what is to be done next.
 */
public final class EndClaims<M extends Comparable<? super M>> {

    /** Claims in one message; it then stays below 60 KB. */
    private static final int MAX_CLAIMS = 2048;

    /** After how many {@link #remind}s a claimer is asked whether it still wants what it was promised. */
    static final int REMINDS = 10;

    private final M self;
    private final Function<SessionKey, Known> known;
    private final ConcurrentMap<SessionKey, Own<M>> own = new ConcurrentHashMap<>();
    private final ConcurrentMap<SessionKey, Map<M, Promise>> promises = new ConcurrentHashMap<>();
    private Set<M> members = Set.of();
    private long numbers;
    private List<ExpiryOutput<M>> outputs = new ArrayList<>();

    /**
     * @param known asked after a promise is noted: who arrives here and sees no promise is seen by it
     * @param numbers below that of the first claim; above all that this member used before
     */
    public EndClaims(M self, Function<SessionKey, Known> known, long numbers) {
        this.self = self;
        this.known = known;
        this.numbers = numbers;
    }

    /** Whether somebody may be about to end the session. */
    public boolean claimed(SessionKey key) {
        return (!own.isEmpty() && own.containsKey(key)) || (!promises.isEmpty() && promises.containsKey(key));
    }

    /** Whether no request may have it again: only members that are gone wanted to end it, or another one does so for good. */
    public boolean over(SessionKey key) {
        if (promises.isEmpty() || own.containsKey(key)) {
            return false;
        }
        Map<M, Promise> given = promises.get(key);
        return given != null
                && (given.values().stream().allMatch(Promise::orphan)
                        || given.values().stream()
                                .anyMatch(promise -> promise.claim().kind() == Kind.INVALIDATION));
    }

    /**
     * The claims of members that are gone, as far as they are this one's to repeat; of those that nobody took up for long, as
     * the heir has never heard of them, all.
     */
    public List<Claim> orphans(Predicate<SessionKey> heir) {
        List<Claim> orphans = new ArrayList<>();
        promises.forEach((key, given) -> {
            if (!own.containsKey(key)
                    && given.values().stream().allMatch(Promise::orphan)
                    && (heir.test(key) || given.values().stream().allMatch(promise -> promise.asks() >= REMINDS))) {
                orphans.add(given.values().stream()
                        .map(Promise::claim)
                        .max(Comparator.comparing(Claim::kind))
                        .orElseThrow());
            }
        });
        return orphans;
    }

    /** Whether a member that is gone wanted to end it, and may have told some of its listeners. */
    public boolean orphaned(SessionKey key) {
        Map<M, Promise> given = promises.get(key);
        return given != null && given.values().stream().anyMatch(Promise::orphan);
    }

    /** How many sessions this member wants to end, or ends. */
    public int claims() {
        return own.size();
    }

    /** How many sessions other members want to end, or end. */
    public int promises() {
        return promises.size();
    }

    /** The sessions it may end, and has not begun to. */
    public List<SessionKey> granted() {
        return own.entrySet().stream()
                .filter(entry -> entry.getValue().state == Own.State.GRANTED)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Whether it is ending some: their listeners run. */
    public boolean busy() {
        return own.values().stream().anyMatch(mine -> mine.state == Own.State.BEGUN);
    }

    /**
     * This member wants to end sessions. Each gets its verdict, now or later.
     *
     * @param byRequest whether a request here found it idle for too long, which therefore is no use
     */
    public List<ExpiryOutput<M>> claim(List<Claim> claims, boolean byRequest) {
        for (int from = 0; from < claims.size(); from += MAX_CLAIMS) {
            claimSome(claims.subList(from, Math.min(claims.size(), from + MAX_CLAIMS)), byRequest);
        }
        return done();
    }

    private void claimSome(List<Claim> claims, boolean byRequest) {
        long number = ++numbers;
        List<Claim> sent = new ArrayList<>();
        for (Claim claim : claims) {
            Own<M> mine = own.get(claim.key());
            if (mine != null && (mine.state == Own.State.BEGUN || mine.claim.kind() == claim.kind())) {
                // Another thread is at it: the verdict of one that is open serves this one, too.
                if (mine.state == Own.State.BEGUN) {
                    lost(claim.key(), self, Reason.CLAIMED);
                } else if (mine.state == Own.State.GRANTED) {
                    outputs.add(new Granted<>(claim.key()));
                }
                continue;
            }
            if (mine != null && mine.state == Own.State.GRANTED) {
                if (mine.claim.kind().compareTo(claim.kind()) < 0) {
                    Own<M> stronger = new Own<>(mine.number, claim, mine.awaited);
                    stronger.state = Own.State.GRANTED;
                    own.put(claim.key(), stronger);
                }
                outputs.add(new Granted<>(claim.key()));
                continue;
            }
            if ((mine != null && mine.claim.kind().compareTo(claim.kind()) > 0) || promisedTo(claim)) {
                lost(claim.key(), self, Reason.CLAIMED);
                continue;
            }
            own.put(claim.key(), new Own<>(number, claim, new HashSet<>(members)));
            Veto veto = veto(claim, byRequest);
            if (veto != null) {
                own.remove(claim.key());
                if (mine != null) {
                    withdraw(claim.key(), mine);
                }
                dropOrphans(veto);
                outputs.add(new Lost<>(claim.key(), self, veto));
            } else if (members.isEmpty()) {
                grant(claim.key());
            } else {
                sent.add(claim);
            }
        }
        if (!sent.isEmpty()) {
            members.forEach(member -> send(member, new Claims(number, sent)));
        }
    }

    /** Whether a member that is here was promised the session for as good a reason. */
    private boolean promisedTo(Claim claim) {
        return promises.getOrDefault(claim.key(), Map.of()).values().stream()
                .anyMatch(promise -> !promise.orphan() && promise.claim().kind().compareTo(claim.kind()) >= 0);
    }

    private @Nullable Veto veto(Claim claim, boolean usesDoNotCount) {
        Known here = known.apply(claim.key());
        if (here.endedFor(claim)) {
            return new Veto(claim.key(), Reason.ENDED, null, 0);
        }
        if (claim.kind() == Kind.INVALIDATION) {
            return null;
        }
        if (here.usedAfter(claim)) {
            return new Veto(claim.key(), Reason.USED, here.lastUse(), here.idleMillis());
        }
        return here.inUse() && !usesDoNotCount ? new Veto(claim.key(), Reason.IN_USE, null, 0) : null;
    }

    private void grant(SessionKey key) {
        Own<M> mine = own.get(key);
        if (mine != null && mine.state == Own.State.OPEN) {
            mine.state = Own.State.GRANTED;
            outputs.add(new Granted<>(key));
        }
    }

    private void lost(SessionKey key, M by, Reason reason) {
        outputs.add(new Lost<>(key, by, new Veto(key, reason, null, 0)));
    }

    private void withdraw(SessionKey key, Own<M> mine) {
        members.forEach(member -> send(member, new GivenUp(mine.number, List.of(key))));
    }

    /**
     * Takes an open claim for granted, as the members that have not answered can't be waited for. None of them can have
     * one granted: it would need this one's promise.
     */
    public List<ExpiryOutput<M>> force(SessionKey key) {
        grant(key);
        return done();
    }

    /** The listeners of a session are about to be told: true if it is still this member's to end. */
    public boolean begin(SessionKey key) {
        Own<M> mine = own.get(key);
        if (mine == null || mine.state != Own.State.GRANTED) {
            return false;
        }
        mine.state = Own.State.BEGUN;
        return true;
    }

    /** The end of a session was made known here, and goes out to the others. */
    public List<ExpiryOutput<M>> finish(SessionKey key) {
        if (own.remove(key) != null) {
            outputs.add(new Settled<>(key));
        }
        return done();
    }

    /** This member does not end these sessions: some of them, or it has not begun. */
    public List<ExpiryOutput<M>> giveUp(Collection<SessionKey> keys) {
        Map<Long, List<SessionKey>> byNumber = new TreeMap<>();
        for (SessionKey key : keys) {
            Own<M> mine = own.remove(key);
            if (mine != null) {
                byNumber.computeIfAbsent(mine.number, n -> new ArrayList<>()).add(key);
                outputs.add(new Settled<>(key));
            }
        }
        byNumber.forEach((number, some) -> members.forEach(member -> send(member, new GivenUp(number, some))));
        return done();
    }

    /** Gives up all that has not begun: others may have gone on without this member. */
    public List<ExpiryOutput<M>> giveUpAll() {
        List<SessionKey> idle = own.entrySet().stream()
                .filter(entry -> entry.getValue().state != Own.State.BEGUN)
                .map(Map.Entry::getKey)
                .toList();
        idle.forEach(key -> lost(key, self, Reason.CLAIMED));
        return giveUp(idle);
    }

    /** The end of a session, or a judgement that did not end it, was merged here: what was promised is kept. */
    public List<ExpiryOutput<M>> settled(SessionKey key) {
        boolean changed = promises.remove(key) != null;
        Own<M> mine = own.get(key);
        if (mine != null && mine.state != Own.State.BEGUN) {
            own.remove(key);
            if (!ended(key)) {
                withdraw(key, mine);
            }
            lost(key, self, Reason.ENDED);
            changed = true;
        }
        if (changed) {
            outputs.add(new Settled<>(key));
        }
        return done();
    }

    /** The other members that have the application changed. */
    public List<ExpiryOutput<M>> enter(Collection<M> others) {
        Set<M> now = Set.copyOf(others);
        Set<M> come = new HashSet<>(now);
        come.removeAll(members);
        if (come.isEmpty() && now.size() == members.size()) {
            return done();
        }
        members = now;
        Map<Long, List<Claim>> told = new TreeMap<>();
        own.forEach((key, mine) -> {
            told.computeIfAbsent(mine.number, n -> new ArrayList<>()).add(mine.claim);
            if (mine.state != Own.State.BEGUN) {
                // Who comes may come from another side, which has a say in what has not begun.
                mine.awaited.addAll(come);
                mine.awaited.retainAll(now);
                if (mine.awaited.isEmpty()) {
                    grant(key);
                } else {
                    mine.state = Own.State.OPEN;
                }
            }
        });
        come.forEach(member -> told.forEach((number, claims) -> send(member, new Claims(number, claims))));
        promises.replaceAll((key, given) -> {
            Map<M, Promise> looked = new TreeMap<>();
            given.forEach((member, promise) ->
                    looked.put(member, new Promise(promise.number(), promise.claim(), !now.contains(member), 0)));
            return looked;
        });
        promises.forEach((key, given) -> outputs.add(new Settled<>(key)));
        return done();
    }

    public List<ExpiryOutput<M>> receive(M from, ExpiryMessage message) {
        if (message instanceof Claims claims) {
            List<Veto> vetoes = new ArrayList<>();
            for (Claim claim : claims.claims()) {
                Veto veto = vote(from, claims.number(), claim);
                if (veto != null) {
                    vetoes.add(veto);
                }
            }
            send(from, new Votes(claims.number(), vetoes));
        } else if (message instanceof Votes votes) {
            voted(from, votes);
        } else if (message instanceof GivenUp given) {
            given.keys().forEach(key -> unpromise(key, from, given.number()));
        } else if (message instanceof Ask ask) {
            List<SessionKey> unwanted = ask.keys().stream()
                    .filter(key -> {
                        Own<M> mine = own.get(key);
                        return (mine == null || mine.number != ask.number()) && !ended(key);
                    })
                    .toList();
            if (!unwanted.isEmpty()) {
                send(from, new GivenUp(ask.number(), unwanted));
            }
        }
        return done();
    }

    /** What is over here is not given up: its tombstone is on its way. */
    private boolean ended(SessionKey key) {
        Known here = known.apply(key);
        return here.ending() != null && here.ending().ends(here.lastUse());
    }

    private @Nullable Veto vote(M from, long number, Claim claim) {
        SessionKey key = claim.key();
        promise(key, from, new Promise(number, claim, false, 0));
        Veto veto = veto(claim, false);
        Own<M> mine = own.get(key);
        if (veto == null && mine != null) {
            if (mine.state != Own.State.OPEN || before(mine.claim, self, claim, from)) {
                veto = new Veto(key, Reason.CLAIMED, null, 0);
            } else {
                own.remove(key);
                withdraw(key, mine);
                lost(key, from, Reason.CLAIMED);
            }
        }
        if (veto != null) {
            unpromise(key, from, number);
        }
        return veto;
    }

    /** Whether the first of two claims goes first. */
    private boolean before(Claim a, M memberA, Claim b, M memberB) {
        int byKind = a.kind().compareTo(b.kind());
        return byKind != 0 ? byKind > 0 : memberA.compareTo(memberB) < 0;
    }

    /** What members that are gone were promised passes to the one that claims it now. */
    private void promise(SessionKey key, M to, Promise promise) {
        promises.compute(key, (same, given) -> {
            Map<M, Promise> more = withoutOrphans(given == null ? Map.of() : given);
            more.put(to, promise);
            return more;
        });
    }

    /** Who is gone had not begun, as the member that knows better never promised it; or it is over, and that comes here. */
    private void dropOrphans(Veto veto) {
        if (veto.reason() == Reason.ENDED) {
            return;
        }
        promises.computeIfPresent(veto.key(), (key, given) -> {
            Map<M, Promise> rest = withoutOrphans(given);
            return rest.isEmpty() ? null : rest;
        });
    }

    private Map<M, Promise> withoutOrphans(Map<M, Promise> given) {
        Map<M, Promise> rest = new TreeMap<>(given);
        rest.values().removeIf(Promise::orphan);
        return rest;
    }

    private void unpromise(SessionKey key, M to, long number) {
        promises.computeIfPresent(key, (same, given) -> {
            Promise promise = given.get(to);
            if (promise == null || promise.number() != number) {
                return given;
            }
            Map<M, Promise> rest = new TreeMap<>(given);
            rest.remove(to);
            outputs.add(new Settled<>(key));
            return rest.isEmpty() ? null : rest;
        });
    }

    private void voted(M from, Votes votes) {
        for (Veto veto : votes.vetoes()) {
            Own<M> mine = own.get(veto.key());
            if (mine != null && mine.number == votes.number() && mine.state != Own.State.BEGUN) {
                own.remove(veto.key());
                withdraw(veto.key(), mine);
                dropOrphans(veto);
                outputs.add(new Lost<>(veto.key(), from, veto));
                outputs.add(new Settled<>(veto.key()));
            }
        }
        own.forEach((key, mine) -> {
            if (mine.number == votes.number() && mine.awaited.remove(from) && mine.awaited.isEmpty()) {
                grant(key);
            }
        });
    }

    /**
     * To be called now and then: asks for what was promised long ago, as a claimer that was apart may have given it up. One
     * that is still not here is gone.
     */
    public List<ExpiryOutput<M>> remind() {
        Map<M, Map<Long, List<SessionKey>>> asked = new TreeMap<>();
        promises.replaceAll((key, given) -> {
            Map<M, Promise> looked = new TreeMap<>();
            given.forEach((member, promise) -> {
                int asks = promise.asks() + 1;
                boolean gone = asks >= REMINDS && !members.contains(member);
                if (asks % REMINDS == 0 && !gone) {
                    asked.computeIfAbsent(member, m -> new TreeMap<>())
                            .computeIfAbsent(promise.number(), n -> new ArrayList<>())
                            .add(key);
                }
                boolean orphan = promise.orphan() || gone;
                looked.put(
                        member,
                        new Promise(promise.number(), promise.claim(), orphan, promise.orphan() == orphan ? asks : 0));
            });
            return looked;
        });
        asked.forEach((member, keys) -> keys.forEach((number, some) -> send(member, new Ask(number, some))));
        return done();
    }

    private void send(M to, ExpiryMessage message) {
        outputs.add(new Send<>(to, message));
    }

    private List<ExpiryOutput<M>> done() {
        List<ExpiryOutput<M>> result = outputs;
        outputs = new ArrayList<>();
        return result;
    }

    /** All it knows, for tests and people. */
    @Override
    public String toString() {
        return self + " with " + new TreeSet<>(members) + " claims " + own + ", promised " + promises;
    }
}
