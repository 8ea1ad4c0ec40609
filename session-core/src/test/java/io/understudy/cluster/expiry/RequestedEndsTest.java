package io.understudy.cluster.expiry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.cluster.expiry.RequestedEnds.Patience;
import io.understudy.expiry.Claim;
import io.understudy.expiry.Claim.Kind;
import io.understudy.expiry.EndClaims;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.Reason;
import io.understudy.expiry.ExpiryMessage.Veto;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.expiry.ExpiryOutput;
import io.understudy.expiry.SessionStatus;
import io.understudy.expiry.Verdict;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The verdict that a request waits for, while other claims of the session get theirs. */
@Tag("rules")
@Timeout(120)
class RequestedEndsTest {

    private static final long SECONDS = 60;
    private static final SessionKey KEY = new SessionKey(1);
    private static final Claim CLAIM = new Claim(KEY, Kind.INVALIDATION, null);

    private final Address self = new UUID(0, 2);
    private final Address other = new UUID(0, 1);
    private final ClaimVerdicts verdicts = new ClaimVerdicts();
    private final BlockingQueue<Claims> sent = new LinkedBlockingQueue<>();

    /** Between the two a verdict was taken that a claim is lost, and is not handed out yet. */
    private final CountDownLatch losing = new CountDownLatch(1);

    private final CountDownLatch lost = new CountDownLatch(1);
    private final EndRules rules = new EndRules(
            () -> new EndClaims<>(self, key -> new SessionStatus(null, null, 0, false, false), key -> self, 0),
            this::handle,
            why -> {});

    private void handle(ExpiryOutput<Address> output) {
        if (output instanceof ExpiryOutput.Send<Address> send) {
            if (send.message() instanceof Claims claims && !claims.claims().isEmpty()) {
                sent.add(claims);
            }
        } else if (output instanceof ExpiryOutput.Granted<Address> granted) {
            verdicts.decided(granted.key(), Verdict.GRANTED);
        } else if (output instanceof ExpiryOutput.Lost<Address> lostOne) {
            losing.countDown();
            await(lost);
            verdicts.decided(lostOne.key(), Verdict.of(lostOne.veto().reason()));
        }
    }

    private RequestedEnds requests(Supplier<Boolean> begin) {
        return new RequestedEnds(rules, verdicts, new ReplicationMetrics(), key -> begin.get(), keys -> {});
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("not within " + SECONDS + " s");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Patience patience() {
        return new Patience(Duration.ofSeconds(SECONDS), () -> {});
    }

    private boolean begins() {
        boolean[] begun = new boolean[1];
        rules.act(ends -> {
            begun[0] = ends.begin(KEY);
            return List.of();
        });
        return begun[0];
    }

    private void votes(List<Veto> vetoes) {
        try {
            Claims claims = sent.poll(SECONDS, TimeUnit.SECONDS);
            rules.act(ends -> ends.receive(other, new Votes(claims == null ? 0 : claims.number(), vetoes)));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitOpen() {
        if (!rules.await(() -> !rules.ask(ends -> ends.awaited(KEY).isEmpty()), Duration.ofSeconds(SECONDS))) {
            throw new IllegalStateException("no claim within " + SECONDS + " s");
        }
    }

    /** Each in a thread of its own: the common pool may have one only. */
    private static CompletableFuture<Void> beside(Runnable task) {
        return CompletableFuture.runAsync(task, each -> new Thread(each, "beside").start());
    }

    /** A claim that was granted without a silent member, which votes against it before the end begins. */
    @Test
    void theVerdictOnAnEarlierClaimIsNoneOnTheNext() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        CompletableFuture<?>[] overtaken = new CompletableFuture<?>[1];
        RequestedEnds requests = requests(() -> {
            if (first.getAndSet(false)) {
                overtaken[0] = beside(() -> votes(List.of(new Veto(KEY, Reason.CLAIMED, null, 0))));
                await(losing);
            }
            return begins();
        });
        rules.act(ends -> ends.enter(List.of(other), true));
        assertEquals(Verdict.OPEN, requests.begin(CLAIM, Set.of(), this::patience));
        CompletableFuture<Void> voting = beside(() -> {
            awaitOpen();
            lost.countDown();
            overtaken[0].join();
            votes(List.of());
        });
        assertEquals(Verdict.GRANTED, requests.begin(CLAIM, Set.of(), this::patience));
        voting.get(SECONDS, TimeUnit.SECONDS);
    }

    /** It is found due while a request ends it. */
    @Test
    void theVerdictOnAnExpiryIsNoneOnALogout() throws Exception {
        lost.countDown();
        RequestedEnds requests = requests(this::begins);
        rules.act(ends -> ends.enter(List.of(other), false));
        CompletableFuture<Void> scan = beside(() -> {
            awaitOpen();
            rules.act(ends -> ends.claim(List.of(new Claim(KEY, Kind.EXPIRY, null)), false, Set.of()));
            votes(List.of());
        });
        assertEquals(Verdict.GRANTED, requests.begin(CLAIM, Set.of(), this::patience));
        scan.get(SECONDS, TimeUnit.SECONDS);
    }

    /** Whoever claims it next takes the grant. */
    @Test
    void aGrantThatCouldNotBeginIsLeft() {
        RequestedEnds requests = requests(() -> false);
        assertEquals(Verdict.OPEN, requests.begin(CLAIM, Set.of(), this::patience));
        assertEquals(true, requests.left(KEY));
        assertEquals(Verdict.GRANTED, requests(this::begins).begin(CLAIM, Set.of(), this::patience));
        assertEquals(false, requests.left(KEY));
    }
}
