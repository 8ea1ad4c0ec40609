package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import io.understudy.testkit.netns.Namespaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Updates of 1 byte to 32 MiB of one session, and what others write meanwhile. */
@Tag("process")
@Timeout(1800)
class UpdateSizesTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** Below {@code maxAttributeBytes}, which has a bound of 1 MiB. */
    private static final int ATTRIBUTE = 1_000_000;

    private static final int LARGE = 32 << 20;

    /** Updates of other sessions that are acknowledged by all while the large one is on its way, at least. */
    private static final int MEANWHILE = 10;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    private static Map<String, String> attributes(int bytes) {
        return attributes(bytes, 0);
    }

    /** Other values in each round. */
    private static Map<String, String> attributes(int bytes, int round) {
        Map<String, String> attributes = new TreeMap<>();
        for (int left = bytes, i = 0; left > 0; left -= ATTRIBUTE, i++) {
            String letter = String.valueOf((char) ('a' + (i + round) % 26));
            attributes.put("part" + i, letter.repeat(Math.min(left, ATTRIBUTE)));
        }
        return attributes;
    }

    @Tag("whole")
    @ParameterizedTest
    @CsvSource({"tcp, 2, false", "udp, 2, false", "auto, 3, false", "auto, 3, true"})
    void arriveWhole(String transport, int count, boolean sealed) throws Exception {
        Map<String, String> settings = new HashMap<>(
                Map.of("transport", transport, "maxSessionBytes", String.valueOf(64 << 20), "maxMemory", "50%"));
        settings.put("ackTimeout", "60s");
        if (sealed) {
            settings.put("secret", "a secret of the tests");
        }
        try (RemoteCluster cluster = RemoteCluster.of(
                        count,
                        (network, index) -> new RemoteMember(
                                network,
                                index,
                                directory,
                                settings,
                                // With AES as the CPU has it, which the first compiler does not know.
                                List.of("-Xmx512m", "-XX:+UseSerialGC")))
                .start()) {
            RemoteMember writer = cluster.member(0);
            for (int bytes : List.of(1, 1 << 10, 64 << 10, 1 << 20, 8 << 20)) {
                assertEquals(Result.ACKNOWLEDGED, writer.create("s", 1800, Map.of()));
                assertEquals(Result.ACKNOWLEDGED, writer.write("s", attributes(bytes)), () -> bytes + " bytes");
                equal(cluster, attributes(bytes));
                assertEquals(Result.ACKNOWLEDGED, writer.invalidate("s"));
            }
            assertEquals(Result.ACKNOWLEDGED, writer.create("s", 1800, Map.of()));
            largeBesideSmall(cluster, transport + (sealed ? ", sealed" : ""));
            for (RemoteMember member : cluster.members()) {
                assertEquals(0L, member.figures().get("frames_refused_unsealed"), "all that leaves is sealed");
            }
        }
    }

    private static void equal(RemoteCluster cluster, Map<String, String> attributes) {
        for (RemoteMember member : cluster.members()) {
            assertTrue(member.read("s").pairs().equals(attributes), () -> "otherwise at " + member.name());
        }
    }

    /** Until it is so: a test that stands still while a large update is on its way can't write a small one then. */
    private static void largeBesideSmall(RemoteCluster cluster, String name) {
        long end = System.nanoTime() + LIMIT.toNanos();
        for (int round = 1, meanwhile = 0; meanwhile < MEANWHILE; round++) {
            assertTrue(
                    System.nanoTime() < end,
                    meanwhile + " small ones before the last large one was complete, of " + (round - 1));
            meanwhile = largeBesideSmall(cluster, name, round);
        }
    }

    /** Returns how many small updates were acknowledged and read elsewhere before the large one was complete. */
    private static int largeBesideSmall(RemoteCluster cluster, String name, int round) {
        RemoteMember writer = cluster.member(0);
        Map<String, String> attributes = attributes(LARGE, round);
        long began = System.nanoTime();
        CompletableFuture<Result> large = Beside.get(() -> writer.write("s", attributes));
        Await.until(LIMIT, writer::figures, () -> large.isDone() || writer.figure("bytes_at_risk") >= LARGE);
        int meanwhile = 0;
        for (int i = 0; !large.isDone(); i++) {
            String id = "small" + round + "-" + i;
            assertEquals(Result.ACKNOWLEDGED, writer.create(id, 1800, Map.of("i", "" + i)));
            assertEquals("" + i, cluster.member(1).read(id).pairs().get("i"));
            meanwhile += large.isDone() ? 0 : 1;
        }
        assertEquals(Result.ACKNOWLEDGED, large.join());
        System.out.println(name + ": 32 MiB in " + (System.nanoTime() - began) / 1_000_000 + " ms, meanwhile "
                + meanwhile + " sessions written and read elsewhere");
        equal(cluster, attributes);
        return meanwhile;
    }
}
