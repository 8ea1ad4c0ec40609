package io.understudy;

import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import io.understudy.wire.Frame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members that join while others write, leave and die. */
@Tag("cluster")
@Timeout(300)
class JoiningTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final int SESSIONS = 4000;
    private static final int VALUE_BYTES = 4096;

    /** Each member is the joiner once, and the provider that dies once; the experiment join does it twenty times. */
    private static final int ROUNDS = 3;

    /** The last number that was acknowledged, by session. */
    private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

    private static byte[] value(int number) {
        byte[] value = new byte[VALUE_BYTES];
        Arrays.fill(value, (byte) number);
        return value;
    }

    private static Outcome put(LiveSession session, int number) {
        return use(session, () -> {
            session.attributes().put("number", number);
            session.attributes().put("value", value(number));
        });
    }

    /** Writes to sessions of its own, and makes new ones, until it is ended or its node is killed. */
    private void write(ReplicatedSessions sessions, String name, AtomicBoolean ended) {
        for (int i = 0; !ended.get(); i++) {
            String id = name + i % 500;
            LiveSession session = sessions.find(id);
            if (put(session == null ? sessions.create(id, 1800) : session, i) == Outcome.ACKNOWLEDGED) {
                acknowledged.put(id, i);
            }
        }
    }

    @Test
    void aJoinIsCompleteAlthoughItsProviderDiesMidwayAndOthersWrite() {
        try (Cluster cluster = Cluster.of(2, 3, Map.of())) {
            for (int i = 0; i < SESSIONS; i++) {
                assertEquals(Outcome.ACKNOWLEDGED, put(cluster.sessions(i % 2).create("s" + i, 1800), i));
                acknowledged.put("s" + i, i);
            }
            for (int round = 0; round < ROUNDS; round++) {
                int provider = round % 3; // The oldest is asked first.
                int joiner = (round + 2) % 3;
                int third = (round + 1) % 3;
                AtomicBoolean ended = new AtomicBoolean();
                List<CompletableFuture<Void>> writers = new ArrayList<>();
                for (int node : new int[] {provider, third}) {
                    String name = "r" + round + "n" + node + "-";
                    ReplicatedSessions sessions = cluster.sessions(node);
                    writers.add(Beside.run(() -> write(sessions, name, ended)));
                }
                AtomicInteger pulled = new AtomicInteger();
                CompletableFuture<Void> joined;
                try (Fault end = cluster.deafen(joiner, provider, () -> midway(cluster, joiner, pulled))) {
                    joined = Beside.run(() -> cluster.start(joiner));
                    Await.until(LIMIT, end::toString, () -> joined.isDone() || pulled.get() > 0);
                    assertTrue(pulled.get() > 0, "nothing pulled");
                    assertTrue(pulled.get() < SESSIONS, "too late for a kill midway: more sessions are needed");
                    cluster.kill(provider);
                }
                joined.join();
                ended.set(true);
                writers.forEach(writer -> writer.exceptionally(e -> null).join());
                assertHoldsAll(cluster.sessions(joiner), round);
            }
        }
    }

    /** Whether the joiner has pulled a part of the sessions, whose number is noted. */
    private static boolean midway(Cluster cluster, int joiner, AtomicInteger pulled) {
        int held = held(cluster, joiner);
        return held > SESSIONS / 8 && pulled.compareAndSet(0, held);
    }

    private static int held(Cluster cluster, int node) {
        return cluster.runs(node) ? cluster.sessions(node).ids().size() : 0;
    }

    private void assertHoldsAll(ReplicatedSessions sessions, int round) {
        acknowledged.forEach((id, number) -> {
            LiveSession session = sessions.find(id);
            assertNotNull(session, () -> "session " + id + " after round " + round);
            int held = (int) session.attributes().get("number");
            assertTrue(held >= number, () -> id + " holds " + held + ", but " + number + " was acknowledged");
            assertEquals((byte) held, ((byte[]) session.attributes().get("value"))[VALUE_BYTES - 1]);
        });
    }

    @Test
    void severalEmptyMembersJoinAtOnce() {
        try (Cluster cluster = Cluster.of(1, 4, Map.of())) {
            for (int i = 0; i < 500; i++) {
                put(cluster.sessions(0).create("s" + i, 1800), i);
                acknowledged.put("s" + i, i);
            }
            cluster.startAtOnce(1, 2, 3);
            for (int node = 1; node < 4; node++) {
                assertHoldsAll(cluster.sessions(node), 0);
            }
        }
    }

    @Test
    void severalEmptyMembersStartAClusterAtOnce() {
        try (Cluster cluster = Cluster.of(0, 3, Map.of(Setting.START_ALONE, "wait 30s"))) {
            cluster.startAtOnce(0, 1, 2);
            put(cluster.sessions(2).create("s", 1800), 1);
            acknowledged.put("s", 1);
            for (int node = 0; node < 3; node++) {
                assertHoldsAll(cluster.sessions(node), 0);
            }
        }
    }

    /** Each takes itself for the first that has the application; the interval at which members compare is not waited for. */
    @Test
    void membersThatBeginAnApplicationAtOnceCompareWhenTheyMeet() {
        try (Cluster cluster = Cluster.of(2, Map.of(Setting.RECONCILE_INTERVAL, "1h"))) {
            ReplicatedSessions there;
            try (Fault late = cluster.lose(1, 0, Frame.Presence.class)) {
                ReplicatedSessions first = cluster.node(0).join("/pay", JoiningTest.class::getClassLoader);
                Await.that("it is ready", first::ready);
                Outcome alone = put(first.create("early", 1800), 1);
                assertEquals(Outcome.DEGRADED, alone, late::toString);
                there = cluster.node(1).join("/pay", JoiningTest.class::getClassLoader);
                Await.that("so is the other", there::ready);
            }
            Await.that("it has what was there before", () -> there.contains("early"));
        }
    }
}
