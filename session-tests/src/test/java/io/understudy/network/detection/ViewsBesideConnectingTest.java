package io.understudy.network.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.Membership;
import org.jgroups.Message;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ThreadPool;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first of three members, whose failure detection gets no answer from the next one. */
@Tag("cluster")
@Timeout(300)
class ViewsBesideConnectingTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** How long failure detection waits for an answer by default. */
    private static final int CONNECT_MILLIS = 1000;

    private static final int SHORT_MILLIS = 200;

    private final WatchedChannels channels = new WatchedChannels();

    @AfterEach
    void close() throws IOException {
        channels.close();
    }

    /** @param mute the members whose failure detection does not answer */
    private void open(Set<Integer> mute) throws Exception {
        List<UnderstudyConfig> configs = LoopbackCluster.configs(3);
        for (int index : mute) {
            channels.silence(configs.get(index));
        }
        channels.open(configs, mute);
    }

    private FD_SOCK2 first() {
        return channels.first();
    }

    private int suspicions() {
        return channels.suspicions();
    }

    private void awaitView(int members) {
        channels.awaitView(members);
    }

    private void awaitTurnedTo(int index, String state) {
        channels.awaitTurnedTo(index, state);
    }

    @Test
    void viewsAreTakenOver() throws Exception {
        open(Set.of(1, 2));
        channels.get(0).connect("test");
        channels.get(1).connect("test");
        awaitView(2);
        awaitTurnedTo(1, "DISCONNECTED");
        channels.get(2).connect("test");
        awaitView(3);
        channels.get(1).close();
        awaitView(2);
    }

    /** It closes with a farewell, as who watches another does, so it is asked again. */
    @Test
    void whoStoppedIsToldOfFirst() throws Exception {
        open(Set.of(2));
        channels.connect();
        awaitView(3);
        awaitTurnedTo(1, " CONNECTED");
        assertEquals(0, suspicions());
        FD_SOCK2 dying = channels.get(1).getProtocolStack().findProtocol(FD_SOCK2.class);
        dying.stop();
        awaitTurnedTo(2, "DISCONNECTED");
        assertEquals(1, suspicions());
    }

    /** Whatever else there is to do, as views come in, and somebody is found to be there. */
    @Test
    void whoseConnectionBrokeIsToldOfFirst() throws Exception {
        open(Set.of(2));
        channels.connect();
        awaitView(3);
        awaitTurnedTo(1, " CONNECTED");
        FD_SOCK2 detection = first();
        detection.setValue("thread_pool", new ThreadPool() {
            @Override
            public boolean execute(Runnable task) { // As on a machine that is busy.
                Util.sleep(SHORT_MILLIS);
                return false;
            }
        });
        Message there = new EmptyMessage()
                .setSrc(channels.get(2).getAddress())
                .putHeader(
                        detection.getId(),
                        new FD_SOCK2.FdHeader(FD_SOCK2.FdHeader.UNSUSPECT)
                                .mbrs(Set.of(channels.get(2).getAddress())));
        AtomicBoolean turned = new AtomicBoolean();
        Thread busy = new Thread(() -> {
            while (!turned.get()) {
                detection.up(there);
            }
        });
        busy.start();
        try {
            channels.breakOff(1);
            awaitTurnedTo(2, "DISCONNECTED");
            assertEquals(1, suspicions());
        } finally {
            turned.set(true);
            busy.join();
        }
    }

    @Test
    void whoDiesIsMissedAtOnce() throws Exception {
        open(Set.of());
        first().setValue("suspect_msg_interval", LIMIT.multipliedBy(2).toMillis()); // To be told once has to do.
        channels.get(0).connect("test");
        FD_ALL3 heartbeats = channels.get(0).getProtocolStack().findProtocol(FD_ALL3.class);
        heartbeats.setTimeout(LIMIT.multipliedBy(2).toMillis());
        channels.get(1).connect("test");
        awaitView(2);
        awaitTurnedTo(1, " CONNECTED");
        Util.shutdown(channels.get(1));
        awaitView(1);
    }

    /** Of three, as with two the first would be the next one's next. */
    @Test
    void whoGivesNoAnswerIsNotSuspected() throws Exception {
        open(Set.of(1));
        first().setValue("connect_timeout", SHORT_MILLIS);
        channels.connect();
        awaitView(3);
        awaitTurnedTo(2, " CONNECTED");
        assertEquals(0, suspicions());
        awaitTurnedTo(1, "DISCONNECTED"); // And is asked again; meanwhile the other is watched.
        awaitTurnedTo(2, " CONNECTED");
        assertEquals(0, suspicions());
    }

    /** Nobody is left who could answer, which does not have to be waited for. */
    @Test
    void whoEndsAsItIsAskedIsSuspectedAtOnce() throws Exception {
        open(Set.of(1));
        channels.get(0).connect("test");
        channels.get(1).connect("test");
        awaitView(2);
        awaitTurnedTo(1, "DISCONNECTED");
        assertEquals(0, suspicions());
        ServerSocket dying = channels.silent(0);
        Socket asking = dying.accept();
        dying.close();
        asking.close();
        Await.until(LIMIT, first()::getPingDest, () -> suspicions() == 1);
    }

    /** The answer to a connection takes its time, here until its packet is sent again, and does not come to who asked. */
    @Test
    void whoEndsBeforeItIsConnectedToIsSuspectedAtOnce() throws Exception {
        open(Set.of(1));
        ServerSocket dying = channels.silent(0);
        List<Socket> before = new ArrayList<>();
        try {
            assertThrows(SocketTimeoutException.class, () -> {
                while (true) { // As many as it takes without accepting them.
                    before.add(new Socket());
                    before.get(before.size() - 1).connect(dying.getLocalSocketAddress(), SHORT_MILLIS);
                }
            });
            channels.get(0).connect("test");
            channels.get(1).connect("test");
            awaitView(2);
            Await.until(
                    LIMIT,
                    first()::printConnections,
                    () -> first().printConnections().contains("connection pending"));
            dying.close();
            Await.until(LIMIT, first()::getPingDest, () -> suspicions() == 1);
        } finally {
            for (Socket one : before) {
                one.close();
            }
        }
    }

    /** The thread that asks is not always the one that learns of it: one refusal in 600 was taken for silence. */
    @Test
    void whoRefusesIsNeverTakenForSilent() throws Exception {
        open(Set.of());
        channels.removeLast();
        channels.connect();
        awaitView(2);
        awaitTurnedTo(1, " CONNECTED");
        ASYNC_FD_SOCK2 detection = (ASYNC_FD_SOCK2) first();
        Protocol mute = new Protocol() { // Nobody hears who is suspected, and answers.
                    @Override
                    public Object down(Message message) {
                        return message.getHeader(detection.getId()) == null ? down_prot.down(message) : null;
                    }
                };
        channels.get(0)
                .getProtocolStack()
                .insertProtocol(mute, org.jgroups.stack.ProtocolStack.Position.BELOW, FD_SOCK2.class);
        Address refusing = channels.get(1).getAddress();
        detection.unsuspect(
                refusing); // It was silent for long, once, and answered: that says nothing of its connections.
        channels.breakOff(1);
        Membership present = new Membership(channels.get(0).getView().getMembers());
        int questions = 1000;
        int told = channels.whereItConnects(() -> {
            int before = suspicions();
            for (int question = 0; question < questions; question++) {
                assertFalse(detection.connectTo(refusing, present));
                detection.broadcastSuspectMessage(List.of(refusing));
            }
            return suspicions() - before;
        });
        assertEquals(questions, told);
    }

    /** A firewall may refuse in its name. It was suspected, answered, and was suspected again, nine times a second. */
    @Test
    void whoRefusesButIsThereIsSuspectedOnce() throws Exception {
        channels.open(LoopbackCluster.configs(3), Set.of(1));
        channels.connect();
        awaitView(3);
        ASYNC_FD_SOCK2 detection = (ASYNC_FD_SOCK2) first();
        Address refusing = channels.get(1).getAddress();
        PortReplies replies = (PortReplies) detection.getValue("replies");
        Await.until(LIMIT, first()::printConnections, () -> replies.vouchedFor(refusing));
        int told = suspicions();
        for (int question = 0; question < 100; question++) {
            channels.whereItConnects(() -> {
                detection.connectAgain();
                return null;
            });
        }
        assertEquals(told, suspicions());
        // The third one gave no answer, once: nobody was watched then until the next view.
        Address third = channels.get(2).getAddress();
        channels.whereItConnects(() -> {
            ((Membership) detection.getValue("pingable_mbrs")).remove(third);
            detection.connectAgain();
            return null;
        });
        awaitTurnedTo(2, " CONNECTED");
        awaitView(3);
    }

    /** FD_SOCK2 asks once for each view. */
    @Test
    void whoGotNoAnswerIsAskedAgain() throws Exception {
        open(Set.of());
        channels.removeLast();
        first().setValue("connect_timeout", 1); // Far too short while the other joins.
        channels.connect();
        awaitView(2);
        first().setValue("connect_timeout", CONNECT_MILLIS);
        awaitTurnedTo(1, " CONNECTED");
    }
}
