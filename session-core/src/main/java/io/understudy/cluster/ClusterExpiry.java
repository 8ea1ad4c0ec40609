package io.understudy.cluster;

import io.understudy.audit.AuditRing;
import io.understudy.audit.What;
import io.understudy.codec.Frame.Ends;
import io.understudy.codec.Frame.FindRequest;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.Request;
import io.understudy.expiry.Claim;
import io.understudy.expiry.EndClaims;
import io.understudy.expiry.ExpiryMessage;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.Reason;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.expiry.ExpiryOutput;
import io.understudy.expiry.Known;
import io.understudy.expiry.Verdict;
import io.understudy.metrics.Counter;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * The end of one application's sessions, agreed with its other members: drives {@link EndClaims}.
 *
 * <p>Threads: any. Only the methods that take a limit, and {@link #close}, wait; the rules are guarded by this. What they
 * want sent leaves in their order, from whichever thread finds no other sending.
 */
public final class ClusterExpiry {

    /** How often, in milliseconds, whoever waits looks again, told or not. */
    private static final long LOOK_AGAIN_MILLIS = 50;

    /** How long closing waits for listeners that run, and a request for a verdict that another thread hands out. */
    private static final Duration FINISH_LIMIT = Duration.ofSeconds(2);

    private final ApplicationGroup group;
    private final ClusterChannel channel;
    private final GapPulls pulls;
    private final Ownership ownership;
    private final EndAudit audit;
    private final VoteTimes<Address> times = new VoteTimes<>(System::nanoTime);

    /** What this node's contexts of the application know of sessions in use. */
    private final List<Predicate<SessionKey>> users = new CopyOnWriteArrayList<>();

    private final Arrivals arrivals = new Arrivals();
    private final Map<SessionKey, CompletableFuture<Verdict>> open = new ConcurrentHashMap<>();

    /** How many requests here are at the end of a session. */
    private final Map<SessionKey, Integer> requested = new ConcurrentHashMap<>();

    private final Set<SessionKey> inherited = ConcurrentHashMap.newKeySet();
    private final InOrder<ExpiryOutput<Address>> outputs = new InOrder<>(this::handle);

    /** Set once, when this node's address is known. */
    private volatile @Nullable EndClaims<Address> rules;

    private volatile boolean closed;

    ClusterExpiry(ApplicationGroup group, ClusterChannel channel, GapPulls pulls, Ownership ownership) {
        this.ownership = ownership;
        this.group = group;
        this.channel = channel;
        this.pulls = pulls;
        this.audit = new EndAudit(group.store(), channel);
    }

    /** What happened to the application's sessions. */
    public AuditRing audit() {
        return audit.ring();
    }

    EndAudit notes() {
        return audit;
    }

    /** Asks {@code user}, too, whether a request here uses a session. */
    public void usedBy(Predicate<SessionKey> user) {
        users.add(user);
    }

    public void notUsedBy(Predicate<SessionKey> user) {
        users.remove(user);
    }

    /** Whether sessions may be claimed for expiry now: this member is ready, and knows which others have the application. */
    public boolean mayExpire() {
        return !closed
                && group.ready()
                && !group.suspended()
                && channel.members().allSpoke();
    }

    /**
     * Claims sessions that were idle for too long, and waits until all is decided, or {@code limit} is over. What is not
     * decided then is given up, but for what was inherited.
     */
    public void claim(List<Claim> claims, Duration limit) {
        if (claims.isEmpty()) {
            return;
        }
        List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();
        claims.forEach(claim -> verdicts.add(open.computeIfAbsent(claim.key(), key -> new CompletableFuture<>())));
        channel.metrics().count(Counter.ENDS_CLAIMED, claims.size());
        act(ends -> ends.claim(claims, false, Set.of()));
        await(CompletableFuture.allOf(verdicts.toArray(new CompletableFuture<?>[0])), limit);
        List<SessionKey> late = claims.stream()
                .map(Claim::key)
                .filter(key -> open.containsKey(key) && !inherited.contains(key))
                .toList();
        if (!late.isEmpty()) {
            giveUp(late);
        }
    }

    /**
     * Claims one session for a request, waits for the verdict, and {@linkplain #begin(SessionKey) begins} if it is granted;
     * that it was is nobody else's to find. An invalidation that not all members answer in time is granted: none of those can
     * have it granted. Later ones do not wait for them until they are heard again.
     *
     * @return {@link Verdict#GRANTED} if it has begun; {@link Verdict#OPEN} if nothing is decided, or somebody else here has
     *     begun
     */
    public Verdict begin(Claim claim, Duration limit) {
        return begin(claim, limit, Set.of(), () -> act(ends -> ends.force(claim.key(), true)));
    }

    /**
     * The same for an invalidation by a request that does not wait for others: 20 ms at most for their votes, which is long
     * for a member that is well. Who is later is not waited for again before it has voted, and within a second.
     */
    public Verdict beginSoon(Claim claim) {
        return begin(
                claim,
                VoteTimes.SOON,
                times.slow(),
                () -> act(ends -> {
                    times.late(ends.awaited(claim.key()));
                    return ends.force(claim.key(), false);
                }));
    }

    private Verdict begin(Claim claim, Duration limit, Set<Address> slow, Runnable force) {
        requested.merge(claim.key(), 1, Integer::sum);
        try {
            Verdict verdict = claim(claim, limit, slow, force);
            return verdict == Verdict.GRANTED && !begin(claim.key()) ? Verdict.OPEN : verdict;
        } finally {
            requested.computeIfPresent(claim.key(), (key, requests) -> requests == 1 ? null : requests - 1);
        }
    }

    private Verdict claim(Claim claim, Duration limit, Set<Address> slow, Runnable force) {
        CompletableFuture<Verdict> verdict = open.computeIfAbsent(claim.key(), key -> new CompletableFuture<>());
        channel.metrics().count(Counter.ENDS_CLAIMED);
        act(ends -> ends.claim(List.of(claim), true, slow));
        await(verdict, limit);
        if (!verdict.isDone()) {
            if (claim.kind() == Claim.Kind.INVALIDATION) {
                channel.metrics().count(Counter.ENDS_UNCONFIRMED);
                force.run();
                await(verdict, FINISH_LIMIT);
            } else {
                giveUp(List.of(claim.key()));
            }
        }
        return verdict.getNow(Verdict.OPEN);
    }

    private static void await(CompletableFuture<?> verdict, Duration limit) {
        try {
            verdict.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return; // The caller looks.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a verdict never fails", e);
        }
    }

    /** The claims of members that are gone which this one is the heir of: to be claimed anew. */
    public List<Claim> orphans() {
        List<Claim> orphans = rules().orphans();
        orphans.forEach(claim -> inherited.add(claim.key()));
        return orphans;
    }

    /** The sessions this node may end, and has not begun to; without those that requests here are about to begin. */
    public List<SessionKey> granted() {
        return rules().granted().stream()
                .filter(key -> !requested.containsKey(key))
                .toList();
    }

    /** The listeners of a session are about to be told: true for the first who asks, if the session is this node's to end. */
    public boolean begin(SessionKey key) {
        if (group.suspended()) {
            return false;
        }
        boolean[] begins = new boolean[2];
        act(ends -> {
            begins[1] = ends.orphaned(key);
            begins[0] = ends.begin(key);
            return List.of();
        });
        if (begins[0]) {
            channel.metrics().count(Counter.ENDS_FIRED);
            // It may have been claimed here as due, and not as an orphan.
            boolean again = inherited.remove(key) || begins[1];
            if (again) {
                channel.metrics().count(Counter.ENDS_INHERITED);
            }
            audit.note(key, again ? What.FIRED_AGAIN : What.FIRED, channel.self());
        }
        return begins[0];
    }

    /** The end of a session was merged here and goes out, or there is nothing to end any more. */
    public void finish(SessionKey key) {
        if (claimed(key)) {
            act(ends -> ends.finish(key));
        }
    }

    /** This node does not end these sessions now. */
    public void giveUp(List<SessionKey> keys) {
        keys.forEach(inherited::remove);
        act(ends -> ends.giveUp(keys));
        keys.forEach(key -> decided(key, Verdict.OPEN));
    }

    /**
     * A request for a session that may be about to expire arrives. From now on, for 3 seconds or until the session is used,
     * no claim to expire it is promised here; one that was promised before is found by {@link #awaitUnclaimed}.
     */
    public void arrives(SessionKey key) {
        arrivals.note(key, group.now());
    }

    /**
     * Waits until nobody wants to end the session.
     *
     * @return false if somebody still does
     */
    public boolean awaitUnclaimed(SessionKey key, Duration limit) {
        return (!claimed(key) || over(key)) || await(() -> !claimed(key) || over(key), limit);
    }

    /**
     * Waits until a session is over here that is being ended elsewhere, or nobody wants to end it any more.
     *
     * @param ended whether it is over elsewhere, so that it is about to be here
     */
    public void awaitEnd(SessionKey key, boolean ended, Duration limit) {
        await(
                () -> {
                    StoredReplica stored = group.store().header(key);
                    return stored == null || !stored.replica().live() || !(ended || claimed(key));
                },
                limit);
    }

    private boolean await(BooleanSupplier condition, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        synchronized (this) {
            while (!condition.getAsBoolean()) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return false;
                }
                try {
                    wait(Math.min(left, LOOK_AGAIN_MILLIS));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return false;
                }
            }
        }
        return true;
    }

    /** Whether somebody may be about to end the session. */
    boolean claimed(SessionKey key) {
        EndClaims<Address> ends = rules;
        return ends != null && ends.claimed(key);
    }

    /**
     * Whether no request may find the session any more, although it is not over here: another member ends it for good, or was
     * about to when it left.
     */
    public boolean over(SessionKey key) {
        EndClaims<Address> ends = rules;
        return ends != null && ends.over(key);
    }

    /** Claims of this node, for people. */
    public long claims() {
        EndClaims<Address> ends = rules;
        return ends == null ? 0 : ends.claims();
    }

    /** Promises this node has given, for people. */
    public long promises() {
        EndClaims<Address> ends = rules;
        return ends == null ? 0 : ends.promises();
    }

    void received(Address sender, ExpiryMessage message) {
        if (message instanceof Claims claims) {
            claims.claims().forEach(claim -> audit.note(claim.key(), What.CLAIMED, sender));
        } else if (message instanceof Votes votes) {
            times.voted(sender, votes.number());
        }
        act(ends -> ends.receive(sender, message));
    }

    /** The view, or what its members say of themselves, changed. */
    void enter() {
        List<Address> others = channel.members().others(group.number(), Phase.JOINING);
        times.retain(others);
        act(ends -> ends.enter(others, group.serves()));
    }

    /** A tombstone was merged here. */
    void settled(SessionKey key) {
        if (claimed(key)) {
            act(ends -> ends.settled(key));
        }
    }

    /**
     * Whether a member must not have the session it asks for now: it is not among those that promised not to use it, as it is
     * still joining, or was not told of the session.
     */
    boolean withholds(Request request) {
        StoredReplica found = request instanceof FindRequest find && claims() + promises() > 0
                ? group.store().header(find.id())
                : null;
        return found != null && claimed(found.replica().key());
    }

    /** To be called now and then. */
    void tick() {
        long now = group.now();
        times.forget();
        arrivals.forget(now);
        if (rules != null) {
            act(EndClaims::remind);
        }
    }

    /** This node stood still: others may have gone on without it. */
    void suspend() {
        inherited.clear();
        act(EndClaims::giveUpAll);
    }

    void close() {
        closed = true;
        rest();
    }

    /**
     * Gives up what has not begun, and waits for listeners that run, 2 seconds at most: the application's classes go, or the
     * node does, and others go on with its sessions.
     */
    public void rest() {
        if (rules != null) {
            suspend();
            await(() -> !rules().busy(), FINISH_LIMIT);
        }
    }

    /** Asked by the rules after a promise was noted. */
    private Known known(SessionKey key) {
        StoredReplica stored = group.store().header(key);
        boolean inUse = users.stream().anyMatch(user -> user.test(key));
        if (stored == null) {
            return new Known(null, null, 0, inUse, false);
        }
        long now = group.now();
        boolean arriving = arrivals.since(key, stored.usedAt(), now);
        return new Known(
                stored.replica().ending(),
                stored.replica().lastUse(),
                Math.max(0, now - stored.usedAt()),
                inUse || arriving,
                stored.unshared());
    }

    private EndClaims<Address> rules() {
        EndClaims<Address> ends = rules;
        if (ends == null) {
            synchronized (this) {
                ends = rules;
                if (ends == null) {
                    ends = new EndClaims<>(
                            channel.self(),
                            this::known,
                            ownership::heir,
                            channel.clock().next().time());
                    rules = ends;
                }
            }
        }
        return ends;
    }

    private void act(Function<EndClaims<Address>, List<ExpiryOutput<Address>>> step) {
        List<ExpiryOutput<Address>> decided;
        synchronized (this) {
            decided = step.apply(rules());
            outputs.add(decided);
            if (!decided.isEmpty()) {
                notifyAll();
            }
        }
        outputs.handOut(decided.size());
    }

    private void handle(ExpiryOutput<Address> output) {
        if (output instanceof ExpiryOutput.Send<Address> message) {
            if (message.message() instanceof Claims claims) {
                times.claimed(claims.number());
            }
            channel.sendInOrder(message.to(), new Ends(group.number(), message.message()));
        } else if (output instanceof ExpiryOutput.Granted<Address> granted) {
            decided(granted.key(), Verdict.GRANTED);
        } else if (output instanceof ExpiryOutput.Lost<Address> lost) {
            lost(lost.key(), lost.by(), lost.veto());
        }
    }

    private void decided(SessionKey key, Verdict verdict) {
        CompletableFuture<Verdict> asked = open.remove(key);
        if (asked != null) {
            asked.complete(verdict);
        }
    }

    private void lost(SessionKey key, Address by, Veto veto) {
        inherited.remove(key);
        if (!by.equals(channel.self())) {
            channel.metrics().count(Counter.ENDS_VETOED);
            audit.note(key, What.VETOED, by);
            if (veto.reason() == Reason.USED && veto.lastUse() != null) {
                channel.clock().observe(veto.lastUse().time());
                group.store().use(key, veto.lastUse(), veto.idleMillis());
            } else if (veto.reason() == Reason.ENDED) {
                pulls.close(key, by);
            }
        }
        decided(key, Verdict.of(veto.reason()));
    }
}
