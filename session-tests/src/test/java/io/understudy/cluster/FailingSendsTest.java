package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.RefusingTop.Thrown;
import io.understudy.cluster.delivery.AckResult;
import io.understudy.cluster.expiry.ClusterExpiry;
import io.understudy.cluster.locking.LockClaim;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Acks;
import io.understudy.expiry.Claim;
import io.understudy.expiry.ExpiryMessage;
import io.understudy.expiry.ExpiryMessage.Ask;
import io.understudy.expiry.ExpiryMessage.Claims;
import io.understudy.expiry.ExpiryMessage.GivenUp;
import io.understudy.expiry.ExpiryMessage.Votes;
import io.understudy.expiry.Verdict;
import io.understudy.lock.LockMessage;
import io.understudy.lock.LockMessage.Grant;
import io.understudy.lock.LockMessage.Release;
import io.understudy.lock.LockMessage.Request;
import io.understudy.metrics.Counter;
import io.understudy.replica.Rendezvous;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.store.StoredReplica;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Beginnings;
import io.understudy.wire.Frame.BucketRequest;
import io.understudy.wire.Frame.Buckets;
import io.understudy.wire.Frame.Counting;
import io.understudy.wire.Frame.DigestRequest;
import io.understudy.wire.Frame.Digests;
import io.understudy.wire.Frame.Ends;
import io.understudy.wire.Frame.Heard;
import io.understudy.wire.Frame.Locking;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.Frame.Restored;
import io.understudy.wire.Frame.StateRequest;
import io.understudy.wire.Frame.States;
import io.understudy.wire.Frame.Touches;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Frames that the stack does not take, whatever is thrown: what they were for happens all the same, or its request is told. */
@Tag("cluster")
@Timeout(300)
class FailingSendsTest extends RefusingMembers {

    @TempDir
    private Path directory;

    /** Nothing is repeated. */
    private static final Map<Setting, String> NO_REPEATS =
            Map.of(Setting.RECONCILE_INTERVAL, "1h", Setting.TOUCH_INTERVAL, "1h");

    private static Predicate<Frame> lock(Class<? extends LockMessage> kind) {
        return frame -> frame instanceof Locking locking && kind.isInstance(locking.message());
    }

    private static Predicate<Frame> end(Class<? extends ExpiryMessage> kind) {
        return frame -> frame instanceof Ends ends
                && kind.isInstance(ends.message())
                && !(ends.message() instanceof Claims claims && claims.claims().isEmpty());
    }

    /** A session that both members hold. */
    private SessionKey shared() throws Exception {
        CompletableFuture<AckResult> held = Channels.write(channels.get(1), groups.get(1), 7, "a", 100);
        assertEquals(AckResult.ALL, held.get());
        return new SessionKey(7);
    }

    private static Predicate<Frame> presence(Phase phase) {
        return frame -> frame instanceof Presence presence
                && presence.memberships().stream().anyMatch(there -> there.phase() == phase);
    }

    private static boolean goodbye(Frame frame) {
        return frame instanceof Presence presence && presence.memberships().isEmpty();
    }

    private SessionKey lockedAt(int home) {
        List<Address> members = channels.get(home).services().members().view();
        return LongStream.iterate(1, value -> value + 1)
                .mapToObj(SessionKey::new)
                .filter(key -> Rendezvous.of(key, members)
                        .equals(channels.get(home).services().members().self()))
                .findFirst()
                .orElseThrow();
    }

    /** The second member's request has a lock that the first is the home of, then one of the first itself. */
    private void lockOneAfterTheOther() {
        SessionKey key = lockedAt(0);
        LockClaim held = groups.get(1).claimLock(key);
        assertTrue(held.await(LIMIT).isPresent(), "the first");
        LockClaim next = groups.get(0).claimLock(key);
        groups.get(1).releaseLock(key, held);
        assertTrue(next.await(LIMIT).isPresent(), "the next");
        groups.get(0).releaseLock(key, next);
        for (ClusterChannel channel : channels) {
            ChannelFigures figures = channel.figures();
            Await.that(
                    "no lock is left", () -> figures.locksHeld() + figures.locksWaiting() + figures.locksAtHome() == 0);
        }
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource
    void aLockIsAskedForAgain(Thrown thrown) {
        start(SETTINGS);
        refuse(1, lock(Request.class), thrown);
        lockOneAfterTheOther();
    }

    @ParameterizedTest
    @EnumSource
    void aLockIsGrantedAgain(Thrown thrown) {
        start(SETTINGS);
        refuse(0, lock(Grant.class), thrown);
        lockOneAfterTheOther();
    }

    @ParameterizedTest
    @EnumSource
    void aReleasedLockGoesToTheNext(Thrown thrown) {
        start(SETTINGS);
        refuse(1, lock(Release.class), thrown);
        lockOneAfterTheOther();
    }

    /** The second member expires a session; nobody else does. */
    private void expireOnce() throws Exception {
        SessionKey key = shared();
        StoredReplica stored = header(1, key);
        Claim claim = new Claim(key, Claim.Kind.EXPIRY, stored.replica().lastUse());
        ClusterExpiry expiry = groups.get(1).expiry();
        assertTrue(expiry.claim(List.of(claim), Duration.ofSeconds(20)), "decided");
        assertEquals(List.of(key), expiry.granted());
        assertTrue(expiry.begin(key));
        expiry.finish(
                key,
                groups.get(1)
                        .prepare(SessionDelta.expired(key, stored.replica().lastUse()), 0, Acks.ALL)
                        .held());
        ClusterExpiry other = groups.get(0).expiry();
        Await.that("it is over on the first member", () -> {
            StoredReplica there = header(0, key);
            return there == null || !there.replica().live();
        });
        assertFalse(other.begin(key));
        assertEquals(1, channels.get(1).services().metrics().value(Counter.ENDS_FIRED));
        assertEquals(0, channels.get(0).services().metrics().value(Counter.ENDS_FIRED));
        Await.that("nothing is left", () -> expiry.claims() + other.promises() + expiry.endsAtRisk() == 0);
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource
    void aSessionIsClaimedAgain(Thrown thrown) throws Exception {
        start(SETTINGS);
        refuse(1, end(Claims.class), thrown);
        expireOnce();
    }

    @ParameterizedTest
    @EnumSource
    void aVoteIsGivenAgain(Thrown thrown) throws Exception {
        start(SETTINGS);
        refuse(0, end(Votes.class), thrown);
        expireOnce();
    }

    @ParameterizedTest
    @EnumSource
    void aClaimIsGivenUpBeforeAnybodyAsksForIt(Thrown thrown) throws Exception {
        start(Map.of(Setting.TOUCH_INTERVAL, "1s")); // Who promised asks after ten of these.
        SessionKey key = shared();
        StoredReplica stored = header(1, key);
        Claim claim = new Claim(key, Claim.Kind.EXPIRY, stored.replica().lastUse());
        assertTrue(groups.get(1).expiry().claim(List.of(claim), LIMIT));
        assertEquals(1, groups.get(0).expiry().promises());
        refuse(1, end(GivenUp.class), thrown);
        groups.get(1).expiry().giveUp(List.of(key));
        Await.that("nothing is promised", () -> groups.get(0).expiry().promises() == 0);
        assertEquals(0, tops.get(0).taken(end(Ask.class)));
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource
    void aLogoutGetsItsVotes(Thrown thrown) throws Exception {
        start(SETTINGS);
        SessionKey key = shared();
        refuse(1, end(Claims.class), thrown);
        refuse(0, end(Votes.class), thrown);
        Claim claim = new Claim(key, Claim.Kind.INVALIDATION, null);
        assertEquals(Verdict.GRANTED, groups.get(1).expiry().begin(claim, () -> true, Duration.ofSeconds(20)));
        assertEquals(0, channels.get(1).services().metrics().value(Counter.ENDS_UNCONFIRMED));
        groups.get(1).expiry().finish(key);
        assertRefused();
    }

    /** Each kind of frame that is sent for it fails, the last word of all too. */
    @ParameterizedTest
    @EnumSource
    void aMemberJoins(Thrown thrown) {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, SETTINGS);
        begin(configs.get(0), new RefusingTop());
        create(0, 7, "a");
        groups.get(0).store().share(new SessionKey(7));
        RefusingTop joining = new RefusingTop();
        Stream.of(BucketRequest.class, DigestRequest.class, StateRequest.class, Heard.class)
                .forEach(kind -> joining.refuse(1, kind(kind), thrown));
        Stream.of(Phase.COUNTED, Phase.READY).forEach(phase -> joining.refuse(1, presence(phase), thrown));
        Stream.of(Buckets.class, Digests.class, States.class, Heard.class, Counting.class)
                .forEach(kind -> refuse(0, kind(kind), thrown));
        begin(configs.get(1), joining);
        awaitHeld(1, "a");
        awaitReadyFor(0, 1);
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource
    void anAnnouncementIsConfirmed(Thrown thrown) {
        start(SETTINGS);
        tops.get(1).refuse(TRIES, kind(Heard.class), thrown);
        long announcement = channels.get(0).services().announcements().announce();
        Await.that("all have heard", () -> channels.get(0).services().members().allHeard(announcement));
        assertRefused();
    }

    /** By the multicast to all first, and then alone. */
    @ParameterizedTest
    @EnumSource
    void anOrderlyLeaveIsHeard(Thrown thrown) {
        start(SETTINGS);
        tops.get(1).refuse(TRIES + 1, FailingSendsTest::goodbye, thrown);
        stop(1);
        Await.until(LIMIT, channels.get(0)::view, () -> channels.get(0).viewSize() == 1);
        assertEquals(
                List.of(),
                channels.get(0).services().members().missing(groups.get(0).number()));
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource
    void anApplicationThatLeavesIsMissedNowhere(Thrown thrown) {
        start(SETTINGS);
        refuse(1, FailingSendsTest::goodbye, thrown);
        groups.get(1).close();
        Await.that("nobody else has it", () -> others(0, Phase.JOINING) == 0);
        assertRefused();
    }

    private Stamp used(int node, SessionKey key) {
        Stamp use = channels.get(node).clock().next(0);
        groups.get(node).touch(key, use);
        return use;
    }

    private void awaitUse(int node, SessionKey key, Stamp use) {
        Await.that(
                "the use is known", () -> use.equals(header(node, key).replica().lastUse()));
    }

    @ParameterizedTest
    @EnumSource
    void aUseIsAnnouncedAgain(Thrown thrown) throws Exception {
        start(SETTINGS);
        SessionKey key = shared();
        refuse(1, kind(Touches.class), thrown);
        awaitUse(0, key, used(1, key));
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource
    void anEmptySessionIsAnnouncedAgain(Thrown thrown) {
        start(SETTINGS);
        refuse(1, kind(Beginnings.class), thrown);
        create(1, 9, "b");
        groups.get(1).keep(SessionDelta.empty(new SessionKey(9)), true);
        awaitHeld(0, "b");
        assertRefused();
    }

    /** A member that stops has no later interval. */
    @ParameterizedTest
    @EnumSource
    void whatWasNotAnnouncedIsWhenAMemberStops(Thrown thrown) throws Exception {
        start(NO_REPEATS);
        SessionKey key = shared();
        create(1, 9, "b");
        groups.get(1).keep(SessionDelta.empty(new SessionKey(9)), true);
        Stamp use = used(1, key);
        refuse(1, kind(Beginnings.class), thrown);
        refuse(1, kind(Touches.class), thrown);
        stop(1);
        awaitHeld(0, "b");
        awaitUse(0, key, use);
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource
    void restoredSessionsAreTakenOver(Thrown thrown) throws Exception {
        Map<Setting, String> settings = new HashMap<>(SETTINGS);
        settings.put(Setting.KEEP_SESSIONS, "on");
        settings.put(Setting.KEEP_DIRECTORY, directory.toString());
        settings.put(Setting.START_ALONE, "serve");
        List<UnderstudyConfig> configs = LoopbackCluster.configs(2, settings);
        begin(configs.get(0), new RefusingTop());
        create(0, 7, "a");
        groups.get(0).store().share(new SessionKey(7));
        stop(0);
        Path kept;
        try (Stream<Path> files = Files.list(directory)) {
            kept = files.findFirst().orElseThrow();
        }
        Path aside = Files.move(kept, directory.resolve("aside"));
        begin(configs.get(1), new RefusingTop());
        Files.move(aside, kept);
        RefusingTop restoring = new RefusingTop();
        restoring.refuse(1, kind(Restored.class), thrown);
        begin(configs.get(0), restoring);
        awaitHeld(2, "a");
        awaitHeld(1, "a");
        assertRefused();
    }
}
