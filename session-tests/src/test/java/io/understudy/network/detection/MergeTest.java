package io.understudy.network.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.Stacks;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How soon members with different views are one group again. */
@Tag("cluster")
@Timeout(300)
class MergeTest {

    private static final Duration LIMIT = Await.LIMIT;

    private final List<JChannel> channels = new ArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(JChannel::close);
    }

    /** MERGE3 sends its questions once: one that is lost with its connection is waited for as long as a tenth of the interval. */
    @Test
    void anotherViewIsMergedSoonAfterItWasHeardOfHoweverLongTheCheckInterval() throws Exception {
        connect(3, merge -> merge.setCheckInterval(LIMIT.multipliedBy(3).toMillis()));
        awaitOneAfter(0);
        awaitOneAfter(installSides());
    }

    /** As GMS tells of a merged view once more to a coordinator that has it from another one already. */
    @Test
    void aViewThatWasToComeAndDoesNotIsNotWaitedFor() throws Exception {
        connect(3, merge -> {});
        awaitOneAfter(0);
        long apart = installSides();
        for (JChannel channel : channels) {
            MERGE3 merging = channel.getProtocolStack().findProtocol(MERGE3.class);
            merging.down(new Event(Event.TMP_VIEW, channel.getView()));
        }
        awaitOneAfter(apart);
    }

    @Test
    void whoLeavesIsNotMergedInAgainWhileItWaitsForTheAnswer() throws Exception {
        connect(3, merge -> {});
        awaitOneAfter(0);
        JChannel first = channels.get(0);
        JChannel leaving = channels.get(1);
        FAST_MERGE3 merging = leaving.getProtocolStack().findProtocol(FAST_MERGE3.class);
        merging.leave();
        for (int round = 0; round < 3; round++) {
            install(first);
            install(channels.get(2));
            Await.until(
                    LIMIT,
                    channels::toString,
                    () -> first.getView().size() > 1
                            && first.getView().equals(channels.get(2).getView()));
            assertFalse(first.getView().containsMember(leaving.getAddress()), () -> "" + first.getView());
        }
    }

    /** A member that stood still has all the others in its view, and they do not have it. */
    @Test
    void aMemberThatWasLeftOutTakesInAllAfterItsMerge() throws Exception {
        connect(3, merge -> {});
        awaitOneAfter(0);
        for (JChannel channel : channels) {
            GMS membership = channel.getProtocolStack().findProtocol(GMS.class);
            membership.setViewAckCollectionTimeout(LIMIT.multipliedBy(3).toMillis());
        }
        long apart = install(channels.get(0), channels.get(1));
        awaitOneAfter(apart);
        Set<String> came = ConcurrentHashMap.newKeySet();
        for (JChannel channel : channels) {
            channel.setReceiver(new Receiver() {
                @Override
                public void receive(Message message) {
                    came.add(message.src() + " to " + channel.getAddress());
                }
            });
        }
        for (JChannel from : channels) {
            for (JChannel to : channels) {
                from.send(to.getAddress(), "in order with the merged view");
            }
        }
        Await.until(LIMIT, came::toString, () -> came.size() == 9);
    }

    private static View view(long number, Address... members) {
        return View.create(members[0], number, members);
    }

    /** Who has the merged view from another member gives no acknowledgement. */
    @Test
    void whoAcknowledgesAMergedView() {
        Address[] all = new Address[4];
        Arrays.setAll(all, i -> new UUID(0, i + 1));
        Address a = all[0];
        Address b = all[1];
        Address c = all[2];
        Address d = all[3];
        MergeView twoStoodStill = new MergeView(a, 4, List.of(all), List.of(view(3, a, b), view(2, all)));
        assertEquals(List.of(a, b), SIDE_GMS.ofOwnSide(twoStoodStill, List.of(a, b), a));
        assertEquals(List.of(), SIDE_GMS.ofOwnSide(twoStoodStill, List.of(all), c), "d is told by the leader, too");
        MergeView withCoordinator = new MergeView(a, 4, List.of(all), List.of(view(3, c, d), view(2, all)));
        assertEquals(List.of(a, b), SIDE_GMS.ofOwnSide(withCoordinator, List.of(all), a));
        assertEquals(List.of(c, d), SIDE_GMS.ofOwnSide(withCoordinator, List.of(c, d), c));
        MergeView halves = new MergeView(a, 4, List.of(all), List.of(view(3, a, b), view(3, c, d)));
        assertEquals(List.of(c, d), SIDE_GMS.ofOwnSide(halves, List.of(c, d), c));
        MergeView joinedMeanwhile = new MergeView(b, 6, List.of(all), List.of(view(5, b, a, c), view(2, a, c, d)));
        assertEquals(List.of(b, a, c), SIDE_GMS.ofOwnSide(joinedMeanwhile, List.of(b, a, c), b));
    }

    private void connect(int members, Consumer<MERGE3> set) throws Exception {
        for (UnderstudyConfig config : LoopbackCluster.configs(members)) {
            JChannel channel = Stacks.channel(config);
            set.accept(channel.getProtocolStack().findProtocol(MERGE3.class));
            channels.add(channel.connect(config.clusterName()));
        }
    }

    /** Two sides, one of a member and one of two. @return the highest number of their views */
    private long installSides() {
        return Math.max(install(channels.get(2)), install(channels.get(0), channels.get(1)));
    }

    /** From now on these see each other, and nobody else. @return the number of their view */
    private static long install(JChannel... side) {
        Address[] members = Stream.of(side).map(JChannel::getAddress).toArray(Address[]::new);
        View view = View.create(members[0], side[0].getView().getViewId().getId() + 1, members);
        for (JChannel channel : side) {
            GMS membership = channel.getProtocolStack().findProtocol(GMS.class);
            membership.installView(view);
        }
        return view.getViewId().getId();
    }

    /** All are in one view, and its number is higher. */
    private void awaitOneAfter(long number) {
        Await.until(
                LIMIT,
                channels::toString,
                () -> channels.stream()
                                .map(JChannel::getView)
                                .allMatch(view ->
                                        view.size() == 3 && view.getViewId().getId() > number)
                        && channels.stream().map(JChannel::getView).distinct().count() == 1);
    }
}
