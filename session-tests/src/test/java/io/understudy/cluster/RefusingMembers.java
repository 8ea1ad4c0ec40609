package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.cluster.RefusingTop.Thrown;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import io.understudy.store.StoredReplica;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;

/** Members whose stacks refuse frames, and what their tests ask of them. */
abstract class RefusingMembers {

    static final Duration LIMIT = Await.LIMIT;

    /** How often a node tries at once what it does not repeat later. */
    static final int TRIES = 3;

    /** Members compare what they hold only when they have a reason to. */
    static final Map<Setting, String> SETTINGS =
            Map.of(Setting.RECONCILE_INTERVAL, "1h", Setting.TOUCH_INTERVAL, "100ms");

    private final TimeSource time;

    final List<RefusingTop> tops = new ArrayList<>();
    final List<ClusterChannel> channels = new ArrayList<>();
    final List<ApplicationGroup> groups = new ArrayList<>();

    final Set<ClusterChannel> stopped = new HashSet<>();

    RefusingMembers() {
        this(TimeSource.SHARED_PROCESS);
    }

    /** @param time the clock of all members */
    RefusingMembers(TimeSource time) {
        this.time = time;
    }

    @AfterEach
    void close() {
        for (int node = 0; node < channels.size(); node++) {
            stop(node);
        }
    }

    void stop(int node) {
        if (stopped.add(channels.get(node))) {
            channels.get(node).close();
        }
    }

    ApplicationGroup join(UnderstudyConfig config, RefusingTop top) {
        ClusterChannel channel = ClusterChannels.connect(config, time, top);
        tops.add(top);
        channels.add(channel);
        ApplicationGroup group = channel.join("/shop");
        groups.add(group);
        return group;
    }

    ApplicationGroup begin(UnderstudyConfig config, RefusingTop top) {
        ApplicationGroup group = join(config, top);
        Await.until(LIMIT, group::waitingFor, group::ready);
        return group;
    }

    /** Two members that know each other to be ready. */
    void start(Map<Setting, String> settings) {
        LoopbackCluster.configs(2, settings).forEach(config -> begin(config, new RefusingTop()));
        awaitReadyFor(0, 1);
        awaitReadyFor(1, 1);
    }

    int others(int node, Phase least) {
        return channels.get(node)
                .services()
                .members()
                .others(groups.get(0).number(), least)
                .size();
    }

    void awaitReadyFor(int node, int others) {
        Await.until(LIMIT, () -> "ready " + others(node, Phase.READY), () -> others(node, Phase.READY) == others);
    }

    static Predicate<Frame> kind(Class<? extends Frame> kind) {
        return kind::isInstance;
    }

    void refuse(int node, Predicate<Frame> which, Thrown thrown) {
        tops.get(node).refuse(1, which, thrown);
    }

    /** All that was to be refused was. */
    void assertRefused() {
        tops.forEach(top -> assertEquals(List.of(), top.left(), "member " + tops.indexOf(top)));
    }

    void create(int node, long key, String id) {
        Stamp now = channels.get(node).clock().next(0);
        groups.get(node).store().create(SessionDelta.created(new SessionKey(key), now, id, 1800));
    }

    StoredReplica header(int node, SessionKey key) {
        return groups.get(node).store().header(key);
    }

    void awaitHeld(int node, String id) {
        Await.that(
                "member " + node + " holds " + id,
                () -> groups.get(node).store().header(id) != null);
    }
}
