package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.pbcast.GMS;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How soon members with different views are one group again. */
@Timeout(60)
class MergeTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** What they hear of each other takes 1.5 s at most; the rest is for the merge itself on a busy machine. */
    private static final Duration MERGED = Duration.ofSeconds(5);

    private final List<JChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(JChannel::close);
    }

    @Test
    void anotherViewIsMergedSoonAfterItWasHeardOfHoweverLongTheCheckInterval() throws Exception {
        for (UnderstudyConfig config : LoopbackCluster.configs(3)) {
            JChannel channel = new JChannel(ProtocolStack.of(config)).name(config.nodeName());
            ProtocolStack.finish(channel.getProtocolStack().getTransport());
            MERGE3 merge = channel.getProtocolStack().findProtocol(MERGE3.class);
            merge.setCheckInterval(Duration.ofMinutes(10).toMillis());
            channels.add(channel.connect(config.clusterName()));
        }
        awaitOne(LIMIT);
        JChannel apart = channels.get(2);
        long id = apart.getView().getViewId().getId();
        install(List.of(apart), View.create(apart.getAddress(), id + 1, apart.getAddress()));
        List<JChannel> others = channels.subList(0, 2);
        JChannel first = others.get(0);
        install(
                others,
                View.create(
                        first.getAddress(),
                        id + 1,
                        first.getAddress(),
                        others.get(1).getAddress()));
        assertTrue(channels.stream().noneMatch(channel -> channel.getView().size() == 3));
        awaitOne(MERGED);
    }

    private static void install(List<JChannel> side, View view) {
        for (JChannel channel : side) {
            GMS membership = channel.getProtocolStack().findProtocol(GMS.class);
            membership.installView(view);
        }
    }

    private void awaitOne(Duration limit) {
        Await.until(
                limit,
                channels::toString,
                () -> channels.stream().allMatch(channel -> channel.getView().size() == 3)
                        && channels.stream().map(JChannel::getView).distinct().count() == 1);
    }
}
