package io.understudy.cluster.expiry;

import io.understudy.audit.AuditEvent;
import io.understudy.audit.AuditRing;
import io.understudy.cluster.convergence.GapPulls;
import io.understudy.cluster.expiry.RequestedEnds.Patience;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.expiry.Claim;
import io.understudy.expiry.EndClaims;
import io.understudy.expiry.ExpiryMessage;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.Reason;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.expiry.ExpiryOutput;
import io.understudy.expiry.Verdict;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.HybridClock;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Ends;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Refusal;
import io.understudy.wire.Frame.Request;
import io.understudy.wire.Frame.States;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * The end of one application's sessions, agreed with its other members: drives {@link EndClaims}.
 *
 * <p>Threads: any. Only the methods that take a limit, {@link #pause} and {@link #close} wait.
 */
public final class ClusterExpiry {

    /** How long closing waits for listeners that run. */
    private static final Duration FINISH_LIMIT = Duration.ofSeconds(2);

    private final LocalApplication application;
    private final Members members;
    private final FrameSender letters;
    private final GapPulls pulls;
    private final ExpiryAudit audit;
    private final HybridClock clock;
    private final ReplicationMetrics metrics;
    private final SlowVoters<Address> times = new SlowVoters<>(System::nanoTime);

    private final KnownUses uses;
    private final EndsAtRisk atRisk = new EndsAtRisk();
    private final ClaimVerdicts verdicts = new ClaimVerdicts();
    private final RequestedEnds requested;
    private final Set<SessionKey> inherited = ConcurrentHashMap.newKeySet();
    private final EndRules rules;
    private volatile boolean closed;

    /** @param touchInterval after how long this node announces a use to the other members, at most */
    public ClusterExpiry(
            LocalApplication application,
            Members members,
            FrameSender letters,
            GapPulls pulls,
            Ownership ownership,
            ExpiryAudit audit,
            HybridClock clock,
            ReplicationMetrics metrics,
            Failures failures,
            Duration touchInterval) {
        this.application = application;
        this.members = members;
        this.letters = letters;
        this.pulls = pulls;
        this.audit = audit;
        this.clock = clock;
        this.metrics = metrics;
        this.uses = new KnownUses(application, new IdleTimes(clock, 2 * touchInterval.toMillis()), this::claimed);
        this.rules = new EndRules(
                () -> new EndClaims<>(
                        members.self(),
                        uses::status,
                        ownership::heir,
                        clock.next().time()),
                this::handle,
                why -> failures.report("reporting the end of a session; the node retries", why));
        this.requested = new RequestedEnds(rules, verdicts, metrics, this::begin, this::giveUp);
    }

    /** What happened to the application's sessions. */
    public AuditRing audit() {
        return audit.ring();
    }

    /** Asks {@code user}, too, whether a request here uses a session. */
    public void addUsageCheck(Predicate<SessionKey> user) {
        uses.add(user);
    }

    public void removeUsageCheck(Predicate<SessionKey> user) {
        uses.remove(user);
    }

    /** Whether a request of this node uses the session. */
    public boolean inUse(SessionKey key) {
        return uses.inUse(key);
    }

    /** How long, in milliseconds, the news of a use may be under way. */
    public long slackMillis() {
        return uses.slackMillis();
    }

    /** Whether sessions may be claimed for expiry now: this member is ready, and knows who has the application. */
    public boolean mayExpire() {
        return !closed && application.ready() && !application.suspended() && members.allAnnounced();
    }

    /**
     * Claims sessions that were idle for too long, and waits until all is decided, or {@code limit} is over. Then it
     * gives up all others, but for those that were inherited.
     *
     * @return whether all was decided
     */
    public boolean claim(List<Claim> claims, Duration limit) {
        if (claims.isEmpty()) {
            return true;
        }
        CompletableFuture<?>[] decided =
                claims.stream().map(claim -> verdicts.of(claim.key())).toArray(CompletableFuture<?>[]::new);
        metrics.count(Counter.ENDS_CLAIMED, claims.size());
        rules.act(ends -> ends.claim(claims, false, Set.of()));
        ClaimVerdicts.await(CompletableFuture.allOf(decided), limit);
        List<SessionKey> late =
                claims.stream().map(Claim::key).filter(verdicts::isOpen).toList();
        List<SessionKey> own =
                late.stream().filter(key -> !inherited.contains(key)).toList();
        if (!own.isEmpty()) {
            giveUp(own);
        }
        return late.isEmpty();
    }

    /**
     * Claims one session for a request, waits for the verdict, and {@linkplain #begin(SessionKey) begins} if it is
     * granted; no other thread finds that grant. An invalidation that not all members answer in time is granted: none
     * of those members can have it granted. Later calls do not wait for them until they answer.
     *
     * @param mayWait asked if the request has to wait; if it may not, it waits as in {@link #beginSoon}
     * @return {@link Verdict#GRANTED} if it has begun; {@link Verdict#OPEN} if nothing is decided, or another thread
     *     here has begun
     */
    public Verdict begin(Claim claim, BooleanSupplier mayWait, Duration limit) {
        Patience full = new Patience(limit, () -> rules.act(ends -> ends.force(claim.key(), true)));
        return requested.begin(claim, Set.of(), () -> mayWait.getAsBoolean() ? full : soon(claim));
    }

    /**
     * The same for an invalidation by a request that does not wait for others: 20 ms at most for their votes, which is
     * long for a member that is well. A member that is later is not waited for again before it has voted, and within a
     * second.
     */
    public Verdict beginSoon(Claim claim) {
        return requested.begin(claim, times.slow(), () -> soon(claim));
    }

    private Patience soon(Claim claim) {
        return new Patience(
                SlowVoters.SOON,
                () -> rules.act(ends -> {
                    times.late(ends.awaited(claim.key()));
                    return ends.force(claim.key(), false);
                }));
    }

    /** The claims of members that are gone which this one is the heir of: to be claimed anew. */
    public List<Claim> orphans() {
        List<Claim> orphans = rules.ask(EndClaims::orphans);
        orphans.forEach(claim -> inherited.add(claim.key()));
        return orphans;
    }

    /** The sessions this node may end, and has not begun to; without those that requests here are about to begin. */
    public List<SessionKey> granted() {
        return rules.ask(EndClaims::granted).stream()
                .filter(key -> !requested.contains(key))
                .toList();
    }

    /**
     * The listeners of a session are about to be called: true for the first caller, if this node may end the session.
     */
    public boolean begin(SessionKey key) {
        if (application.suspended()) {
            return false;
        }
        boolean[] begins = new boolean[2];
        boolean noted = false;
        try {
            rules.act(ends -> {
                if (ends.usedSince(key)) {
                    return ends.giveUp(List.of(key));
                }
                begins[1] = ends.orphaned(key);
                begins[0] = ends.begin(key);
                return List.of();
            });
            if (begins[0]) {
                // It may have been claimed here as due, and not as an orphan.
                begun(key, inherited.remove(key) || begins[1]);
            }
            noted = true;
        } finally {
            if (begins[0] && !noted) { // The caller is not told that it may.
                finish(key, CompletableFuture.completedFuture(null));
            }
        }
        return begins[0];
    }

    private void begun(SessionKey key, boolean again) {
        atRisk.begun(key);
        metrics.count(Counter.ENDS_FIRED);
        if (again) {
            metrics.count(Counter.ENDS_INHERITED);
        }
        audit.note(key, again ? AuditEvent.FIRED_AGAIN : AuditEvent.FIRED, members.self());
    }

    /** There is nothing to end any more. */
    public void finish(SessionKey key) {
        if (claimed(key)) {
            rules.finish(key);
        }
    }

    /**
     * The end of a session was merged here.
     *
     * @param acknowledged completes when the other members have it, or are not waited for any more
     */
    public void finish(SessionKey key, CompletionStage<?> acknowledged) {
        try {
            finish(key);
        } finally {
            atRisk.ended(key, acknowledged);
        }
    }

    /** Sessions that an heir would end again if this node died now: listeners run, or the end is not acknowledged. */
    public int endsAtRisk() {
        return atRisk.count();
    }

    /** Waits until there are fewer than {@code most} of these, {@code limit} at most. */
    public void awaitEndsAtRisk(int most, Duration limit) {
        atRisk.awaitFewer(most, limit);
    }

    /** This node does not end these sessions now, but for those that it has begun to. */
    public void giveUp(List<SessionKey> keys) {
        keys.forEach(inherited::remove);
        rules.act(ends -> ends.giveUp(keys));
        keys.forEach(key -> verdicts.decided(key, Verdict.OPEN));
    }

    /**
     * A request for the session arrives. If it comes in time, this member grants no claim to expire the session from
     * now on, for 3 seconds or until the session is used. If it has granted one before, the request waits until no
     * member wants to end the session. A request that comes too late does not wait: it can't use the session, whatever
     * becomes of the claim.
     *
     * @param mayWait asked if the request has to wait
     * @return false if the request may not look for the session yet
     */
    public boolean arrives(StoredReplica stored, BooleanSupplier mayWait, Duration limit) {
        SessionKey key = stored.replica().key();
        uses.arrives(stored); // Before the look at claims, which are noted before arrivals are looked at.
        if (mayLook(key)) {
            return true;
        }
        rules.act(ends -> ends.spare(key));
        return mayLook(key) || (mayWait.getAsBoolean() && rules.await(() -> mayLook(key), limit));
    }

    private boolean mayLook(SessionKey key) {
        return !claimed(key) || over(key) || uses.overdue(key);
    }

    /**
     * Waits until a session that is being ended elsewhere is over here, nobody wants to end it, or this node may.
     *
     * @param ended whether it is over elsewhere, so that it is about to be here
     * @param mayWait asked if the request has to wait; if it may not, it waits 20 ms at most
     * @return false if it was being ended still when the time was over
     */
    public boolean awaitEnd(SessionKey key, boolean ended, BooleanSupplier mayWait, Duration limit) {
        BooleanSupplier decided = () -> {
            StoredReplica stored = application.store().header(key);
            return stored == null
                    || !stored.replica().live()
                    || !(ended || claimed(key))
                    || (requested.left(key) && !application.suspended());
        };
        return decided.getAsBoolean() || rules.await(decided, mayWait.getAsBoolean() ? limit : SlowVoters.SOON);
    }

    /** Whether somebody may be about to end the session. */
    public boolean claimed(SessionKey key) {
        EndClaims<Address> ends = rules.unlocked();
        return ends != null && ends.claimed(key);
    }

    /** Whether no request may find it, although it is not over here: another member ends it, or was to when it left. */
    public boolean over(SessionKey key) {
        EndClaims<Address> ends = rules.unlocked();
        return ends != null && ends.over(key);
    }

    /** Whether no request may find the session: it is {@linkplain #over over}, or expires, here or elsewhere. */
    public boolean hides(SessionKey key) {
        EndClaims<Address> ends = rules.unlocked();
        return ends != null && ends.hidden(key);
    }

    /** Claims of this node, for people. */
    public long claims() {
        EndClaims<Address> ends = rules.unlocked();
        return ends == null ? 0 : ends.claims();
    }

    /** Promises this node has given, for people. */
    public long promises() {
        EndClaims<Address> ends = rules.unlocked();
        return ends == null ? 0 : ends.promises();
    }

    public void received(Address sender, ExpiryMessage message) {
        if (message instanceof Claims claims) {
            claims.claims().forEach(claim -> audit.note(claim.key(), AuditEvent.CLAIMED, sender));
        } else if (message instanceof Votes votes) {
            times.voted(sender, votes.number());
        }
        rules.act(ends -> ends.receive(sender, message));
    }

    /** The view, or what its members announce of themselves, changed. */
    public void enter() {
        List<Address> others = members.others(application.number(), Phase.JOINING);
        times.retain(others);
        rules.act(ends -> ends.enter(others, application.serves()));
    }

    /** A tombstone was merged here. */
    public void settled(SessionKey key) {
        if (claimed(key)) {
            rules.act(ends -> ends.settled(key));
        }
    }

    /**
     * The answer to a member that requests a session which it must not have now. It did not promise not to use the
     * session, as it is still joining, or did not know the session. If a request here would find no session, none finds
     * one there.
     *
     * @return {@code null} if it may have the session
     */
    public @Nullable Frame withheld(Request request) {
        StoredReplica found = request instanceof FindRequest find && claims() + promises() > 0
                ? application.store().header(find.id())
                : null;
        SessionKey key = found == null ? null : found.replica().key();
        if (key == null || !claimed(key)) {
            return null;
        }
        return over(key) || (hides(key) && uses.overdue(key))
                ? new States(request.request(), List.of(), false)
                : new Refusal(request.request());
    }

    /** To be called now and then. */
    public void tick() {
        times.forget();
        uses.forget();
        if (rules.unlocked() != null) {
            rules.act(EndClaims::remind);
        }
    }

    /** This node stood still: others may have gone on without it. */
    public void suspend() {
        inherited.clear();
        rules.act(EndClaims::giveUpAll);
    }

    public void close() {
        closed = true;
        pause();
    }

    /**
     * Gives up what has not begun, and waits 2 seconds at most for listeners that run. The application's classes go, or
     * the node does, and others go on with its sessions.
     */
    public void pause() {
        if (rules.unlocked() != null) {
            suspend();
            rules.await(() -> !rules.ask(EndClaims::busy), FINISH_LIMIT);
        }
    }

    private void handle(ExpiryOutput<Address> output) {
        if (output instanceof ExpiryOutput.Send<Address> message) {
            if (message.message() instanceof Claims claims) {
                times.claimed(claims.number());
            }
            letters.sendInOrder(message.to(), new Ends(application.number(), message.message()));
        } else if (output instanceof ExpiryOutput.Granted<Address> granted) {
            verdicts.decided(granted.key(), Verdict.GRANTED);
        } else if (output instanceof ExpiryOutput.Lost<Address> lost) {
            lost(lost.key(), lost.by(), lost.veto());
        }
    }

    private void lost(SessionKey key, Address by, Veto veto) {
        inherited.remove(key);
        if (!by.equals(members.self())) {
            metrics.count(Counter.ENDS_VETOED);
            audit.note(key, AuditEvent.VETOED, by);
            if (veto.reason() == Reason.USED && veto.lastUse() != null) {
                clock.observe(veto.lastUse().time());
                application.store().use(key, veto.lastUse(), veto.idleMillis());
            } else if (veto.reason() == Reason.ENDED) {
                pulls.close(key, by);
            }
        }
        verdicts.decided(key, Verdict.of(veto.reason()));
    }
}
