package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.wire.Frame.BucketRequest;
import io.understudy.wire.Frame.Buckets;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reached one member only: it was missed, or came of a member that died, after the others compared what they hold. */
@Tag("cluster")
@Timeout(300)
class MissedChangesTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final SessionKey KEY = new SessionKey(7);

    private final List<ClusterChannel> channels = new ArrayList<>();
    private final List<ApplicationGroup> groups = new ArrayList<>();

    private void start(Map<Setting, String> settings) {
        for (UnderstudyConfig config : LoopbackCluster.configs(2, settings)) {
            ClusterChannel channel = ClusterChannels.connect(config);
            channels.add(channel);
            ApplicationGroup group = channel.join("/shop");
            groups.add(group);
            Await.until(LIMIT, group::waitingFor, group::ready);
        }
    }

    @AfterEach
    void close() {
        channels.forEach(ClusterChannel::close);
    }

    @Test
    void whatOneMemberMissedIsFoundAtTheInterval() {
        start(Map.of(Setting.RECONCILE_INTERVAL, "200ms"));
        groups.get(0).store().merge(SessionDelta.created(KEY, new Stamp(5, 99), "s7", 1800), 0, 0);
        Await.until(LIMIT, () -> "not on the other", () -> groups.get(1).store().header("s7") != null);
    }

    @Test
    void aChangeOfAMemberThatIsGoneIsPassedOn() {
        start(Map.of());
        Address gone = UUID.randomUUID();
        SessionDelta session = SessionDelta.created(KEY, new Stamp(5, 99), "s7", 1800);
        ScopeHeader place = new ScopeHeader(KEY.value(), 1, 0, 0);
        groups.get(0).incoming().received(gone, place, new Change(groups.get(0).number(), new Update(0, 0, session)));
        Await.until(LIMIT, () -> "not passed on", () -> groups.get(1).store().header("s7") != null);
    }

    @Test
    void whoHasNotSeenTheAskersViewDoesNotSayWhatItHolds() throws NoAnswerException {
        start(Map.of());
        ApplicationGroup asker = groups.get(0);
        Members members = channels.get(0).services().members();
        Await.until(
                LIMIT,
                members::view,
                () -> members.others(asker.number(), Phase.READY).size() == 1);
        Address other = members.others(asker.number(), Phase.READY).get(0);
        long view = channels.get(0).services().views().number();
        RequestCorrelator exchange = channels.get(0).services().exchange();
        assertEquals(
                256,
                exchange.ask(other, n -> new BucketRequest(n, asker.number(), view), Buckets.class, LIMIT)
                        .sums()
                        .length);
        assertThrows(
                NoAnswerException.class,
                () -> exchange.ask(other, n -> new BucketRequest(n, asker.number(), view + 1), Buckets.class, LIMIT));
    }
}
