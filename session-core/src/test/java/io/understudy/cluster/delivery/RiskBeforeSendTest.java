package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.membership.ApplicationNumber;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.WireVersions;
import io.understudy.config.session.Acks;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.TimeSource;
import io.understudy.threads.Failures;
import io.understudy.threads.Loop;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gauge that is read between the send and its own rise would miss a change whose response has left. */
@Tag("rules")
@Timeout(60)
class RiskBeforeSendTest {

    private static final Address SELF = UUID.randomUUID();
    private static final Address OTHER = UUID.randomUUID();

    private record Sent(Message message, long changesAtRisk, long sessionsAtRisk) {}

    @Test
    void aChangeIsAtRiskBeforeItIsSentAndUntilItIsAcknowledged() throws Exception {
        AckTracker tracker = new AckTracker(new ReplicationMetrics(), Address::toString);
        tracker.view(Set.of(SELF, OTHER));
        Members members = new Members(() -> SELF, () -> 0);
        members.view(List.of(SELF, OTHER));
        members.said(OTHER, new Presence(2, 1, true, 1, 1, List.of(new Membership("/shop", Phase.READY, true, false))));
        BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
        DeltaSender sending = new DeltaSender(
                new SCOPE(),
                members,
                new WireVersions(() -> SELF, "n1"),
                tracker,
                new ReplicationMetrics(),
                TimeSource.SYSTEM,
                10_000,
                message -> sent.add(new Sent(
                        message, tracker.atRisk().changes(), tracker.atRisk().sessions())));
        Failures failures = new Failures("n1", new ReplicationMetrics());
        Outbox outbox = new Outbox(sending, tracker, new ReplicationMetrics(), failures, Duration.ofMinutes(1));
        Thread thread = new Thread(new Loop("sending", outbox, failures, Thread::new));
        thread.start();
        try {
            Stamp now = new Stamp(1, 1);
            SessionDelta delta = new SessionDelta(
                    new SessionKey(7), true, new Stamped<>(now, "id"), new Stamped<>(now, 1800), now, Map.of(), null);
            CompletableFuture<AckResult> held = outbox.put(ApplicationNumber.of("/shop"), delta, 0, Acks.ALL);
            assertEquals(1, tracker.atRisk().changes(), "when the commit is made");
            Sent first = sent.take();
            assertEquals(1, first.changesAtRisk(), "when it is sent");
            assertEquals(1, first.sessionsAtRisk());
            ScopeHeader header = first.message().getHeader(SCOPE.ID);
            assertEquals(1, tracker.atRisk().changes(), "while it is under way");
            tracker.acknowledged(OTHER, header.number(), true);
            assertEquals(AckResult.ALL, held.get(30, TimeUnit.SECONDS));
            assertEquals(0, tracker.atRisk().changes());
        } finally {
            assertTrue(outbox.drain(1000));
            outbox.stop();
            thread.join();
        }
    }
}
