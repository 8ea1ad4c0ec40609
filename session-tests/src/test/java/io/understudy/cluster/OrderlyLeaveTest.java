package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.cluster.delivery.AckResult;
import io.understudy.cluster.membership.Members;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Acks;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Counting;
import io.understudy.wire.Frame.Heard;
import io.understudy.wire.Frame.LastAnswer;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Restored;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that stop at once, and what the one that keeps the sessions did not get any more. */
@Tag("cluster")
@Timeout(300)
class OrderlyLeaveTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final String SHOP = "/shop";

    @TempDir
    private Path directory;

    /** Those that run. */
    private final List<ClusterChannel> channels = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        channels.forEach(ClusterChannel::close);
    }

    private ClusterChannel start(UnderstudyConfig config, StackCustomizer stack) {
        ClusterChannel channel = ClusterChannels.connect(config, stack);
        channels.add(channel);
        return channel;
    }

    private void stop(ClusterChannel channel) {
        channels.remove(channel);
        channel.close();
    }

    private static ApplicationGroup joined(ClusterChannel channel) {
        ApplicationGroup group = channel.join(SHOP);
        Await.until(LIMIT, group::waitingFor, group::ready);
        return group;
    }

    private static void awaitAlone(ClusterChannel channel, long application) {
        awaitOthers(channel, application, 0);
    }

    private static void awaitOther(ClusterChannel channel, long application) {
        awaitOthers(channel, application, 1);
    }

    private static void awaitOthers(ClusterChannel channel, long application, int count) {
        Members members = channel.services().members();
        Await.until(
                LIMIT,
                () -> "still " + members.others(application, Phase.READY),
                () -> members.others(application, Phase.READY).size() == count);
    }

    /** The one that said goodbye first is told last that it was heard, and then is the last of all that stop. */
    @Test
    void whoKeepsTheSessionsGetsWhatWasWrittenAfterItsGoodbye() throws Exception {
        List<UnderstudyConfig> configs = keeping(2);
        HeldConfirmations atFirst = new HeldConfirmations();
        HeldConfirmations atSecond = new HeldConfirmations();
        ClusterChannel first = start(configs.get(0), atFirst);
        long shop = joined(first).number();
        ClusterChannel second = start(configs.get(1), atSecond);
        ApplicationGroup onSecond = joined(second);
        awaitOther(first, shop);
        atFirst.hold();
        atSecond.hold();

        CompletableFuture<Void> firstStops = Beside.run(() -> stop(first));
        awaitAlone(second, shop);
        SessionKey key = new SessionKey(7);
        SessionDelta written = SessionDelta.created(key, second.clock().next(0), "s7", 1800);
        assertEquals(
                AckResult.NONE, onSecond.prepare(written, 0, Acks.ALL).held().get(), "nobody else holds it");
        CompletableFuture<Void> secondStops = Beside.run(() -> stop(second));
        awaitAlone(first, shop);
        atFirst.letGo();
        Await.until(LIMIT, () -> "nobody keeps the sessions", firstStops::isDone);
        atSecond.letGo();
        secondStops.get();
        firstStops.get();

        assertEquals(1, keepers(configs).size());
        assertRestored(keepers(configs), key);
    }

    /** As where the decision is about a member that has left since then, or the one that was chosen does not learn it. */
    @Test
    void aDecisionThatNobodyActsOnLosesNothing() throws Exception {
        List<UnderstudyConfig> configs = keeping(2);
        HeldConfirmations atFirst = new HeldConfirmations();
        ClusterChannel first = start(configs.get(0), atFirst);
        long shop = joined(first).number();
        AtomicBoolean decided = new AtomicBoolean();
        ClusterChannel second = start(configs.get(1), changed(message -> notTheLast(message, decided)));
        SessionKey key = written(second, joined(second));
        awaitOther(first, shop);
        atFirst.hold();

        CompletableFuture<Void> firstStops = Beside.run(() -> stop(first));
        awaitAlone(second, shop);
        CompletableFuture<Void> secondStops = Beside.run(() -> stop(second));
        // A machine that stands still for longer than the first waits lets it go before the second asks.
        Await.until(LIMIT, () -> "the second asks whether it is the last", () -> decided.get() || secondStops.isDone());
        atFirst.letGo();
        firstStops.get();
        secondStops.get();

        assertEquals(1, keepers(configs).size());
        assertRestored(keepers(configs), key);
    }

    /** A process that stood still does not vouch for what it holds until others have confirmed that. They may stop, too. */
    @Test
    void whoStopsJustAfterAPauseKeepsTheSessions() throws Exception {
        List<UnderstudyConfig> configs = keeping(1);
        ClusterChannel only = start(configs.get(0), StackCustomizer.NONE);
        ApplicationGroup group = joined(only);
        SessionKey key = written(only, group);
        group.joiner().stop();
        group.suspend("paused for 60000 ms");

        stop(only);

        assertRestored(keepers(configs), key);
    }

    /** The file is used up by then. */
    @Test
    void whoStopsBeforeItIsReadyKeepsWhatItBroughtBack() throws Exception {
        List<UnderstudyConfig> configs = keeping(2);
        ClusterChannel before = start(configs.get(0), StackCustomizer.NONE);
        SessionKey key = written(before, joined(before));
        stop(before);

        AtomicBoolean asked = new AtomicBoolean();
        ClusterChannel second = start(configs.get(1), StackCustomizer.NONE);
        second.join(SHOP);
        ClusterChannel again = start(configs.get(0), changed(message -> {
            boolean counts = frame(message) instanceof Counting;
            asked.compareAndSet(false, counts);
            return counts ? List.of() : List.of(message);
        }));
        ApplicationGroup group = again.join(SHOP);
        Await.until(LIMIT, group::waitingFor, asked::get);
        assertFalse(group.ready());
        stop(again);
        stop(second);

        assertRestored(keepers(configs), key);
    }

    /** The one that goes on is told who keeps the sessions, and has others when it stops. */
    @Test
    void whoWentOnKeepsItsSessionsWhenItStops() throws Exception {
        List<UnderstudyConfig> configs = keeping(2);
        ClusterChannel first = start(configs.get(0), StackCustomizer.NONE);
        ApplicationGroup onFirst = joined(first);
        ClusterChannel second = start(configs.get(1), StackCustomizer.NONE);
        joined(second);
        onFirst.joiner().stop();
        onFirst.suspend("paused for 60000 ms");
        awaitAlone(second, onFirst.number());
        stop(second);
        assertEquals(List.of(configs.get(1).nodeName()), names(keepers(configs)));
        SessionKey key = written(first, onFirst);
        stop(first);

        assertRestored(keepers(List.of(configs.get(0))), key);
    }

    @Test
    void anInterruptedStopKeepsTheSessions() throws Exception {
        List<UnderstudyConfig> configs = keeping(1);
        ClusterChannel only = start(configs.get(0), StackCustomizer.NONE);
        SessionKey key = written(only, joined(only));

        Beside.run(() -> {
                    Thread.currentThread().interrupt();
                    stop(only);
                })
                .get();

        assertRestored(keepers(configs), key);
    }

    /** Who goes on may not have compared itself with the one that brought sessions back. */
    @Test
    void whoGoesOnHasWhatTheOneThatStopsBroughtBack() throws Exception {
        List<UnderstudyConfig> configs = keeping(2);
        ClusterChannel before = start(configs.get(0), StackCustomizer.NONE);
        SessionKey key = written(before, joined(before));
        stop(before);

        UnderstudyConfig alone = configs.get(1).with(Map.of(Setting.START_ALONE.key(), "serve"));
        ClusterChannel second =
                start(alone, changed(message -> frame(message) instanceof Restored ? List.of() : List.of(message)));
        ApplicationGroup onSecond = joined(second);
        ClusterChannel again = start(configs.get(0), StackCustomizer.NONE);
        assertTrue(has(joined(again), key));
        stop(again);

        assertTrue(has(onSecond, key));
        assertEquals(List.of(), keepers(configs));
    }

    private List<UnderstudyConfig> keeping(int count) {
        List<UnderstudyConfig> configs = new ArrayList<>();
        for (UnderstudyConfig config : LoopbackCluster.configs(count)) {
            configs.add(config.with(Map.of(
                    Setting.KEEP_SESSIONS.key(),
                    "on",
                    Setting.KEEP_DIRECTORY.key(),
                    directory(config).toString())));
        }
        return configs;
    }

    private Path directory(UnderstudyConfig config) {
        return directory.resolve(config.nodeName());
    }

    private static SessionKey written(ClusterChannel channel, ApplicationGroup group) throws Exception {
        SessionKey key = new SessionKey(7);
        SessionDelta written = SessionDelta.created(key, channel.clock().next(0), "s7", 1800);
        group.prepare(written, 0, Acks.ALL).held().get();
        return key;
    }

    /** Those with a file. */
    private List<UnderstudyConfig> keepers(List<UnderstudyConfig> configs) throws IOException {
        List<UnderstudyConfig> keepers = new ArrayList<>();
        for (UnderstudyConfig config : configs) {
            if (Files.exists(directory(config))) {
                try (Stream<Path> files = Files.list(directory(config))) {
                    if (files.findAny().isPresent()) {
                        keepers.add(config.with(Map.of(Setting.START_ALONE.key(), "serve")));
                    }
                }
            }
        }
        return keepers;
    }

    private static List<String> names(List<UnderstudyConfig> configs) {
        return configs.stream().map(UnderstudyConfig::nodeName).toList();
    }

    private void assertRestored(List<UnderstudyConfig> keepers, SessionKey key) {
        List<ApplicationGroup> started = new ArrayList<>();
        for (UnderstudyConfig keeper : keepers) {
            started.add(joined(start(keeper, StackCustomizer.NONE)));
        }
        assertTrue(started.stream().anyMatch(group -> has(group, key)), keepers::toString);
    }

    private static boolean has(ApplicationGroup group, SessionKey key) {
        StoredReplica stored = group.store().header(key);
        return stored != null && stored.replica().live();
    }

    private static StackCustomizer changed(Interference.Rule rule) {
        return with(new Interference(rule));
    }

    private static StackCustomizer with(Interference protocol) {
        return protocols -> {
            List<Protocol> changed = new ArrayList<>(protocols);
            changed.add(protocol);
            return changed;
        };
    }

    /** Changes the first answer. */
    private static List<Message> notTheLast(Message message, AtomicBoolean decided) {
        if (frame(message) instanceof LastAnswer answer && decided.compareAndSet(false, true)) {
            byte[] no = WireCodec.encode(new LastAnswer(answer.request(), false), WireCodec.LOWEST_VERSION);
            message.setArray(no, 0, no.length);
        }
        return List.of(message);
    }

    private static @Nullable Frame frame(Message message) {
        try {
            return message instanceof BytesMessage && message.getLength() > 0
                    ? WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                    : null;
        } catch (WireFormatException e) {
            return null;
        }
    }

    /** Keeps back what confirms announcements of a member, until it is let go. */
    private static final class HeldConfirmations implements StackCustomizer {

        private final Queue<Message> held = new ConcurrentLinkedQueue<>();
        private final Interference protocol = new Interference(this::instead);
        private volatile boolean holding;

        @Override
        public List<Protocol> apply(List<Protocol> protocols) {
            return with(protocol).apply(protocols);
        }

        private List<Message> instead(Message message) {
            if (holding && frame(message) instanceof Heard) {
                held.add(message);
                return List.of();
            }
            return List.of(message);
        }

        void hold() {
            holding = true;
        }

        void letGo() {
            holding = false;
            for (Message message = held.poll(); message != null; message = held.poll()) {
                protocol.pass(message);
            }
        }
    }
}
