package io.understudy.testkit.faultsweep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.Understudy;
import io.understudy.config.Setting;
import io.understudy.ordering.SCOPE_FC;
import io.understudy.testkit.Await;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgroups.BytesMessage;
import org.jgroups.protocols.UFC;
import org.jgroups.util.Credit;
import org.jgroups.util.CreditMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a sweep would find left, if anything were. */
@Tag("cluster")
class LeftoversTest {

    private static final int LOST = 1000;

    @TempDir
    Path directory;

    @Test
    void filesThatNoNodeKnowsOfAreFound() throws Exception {
        Map<Setting, String> settings = Map.of(Setting.MAX_MEMORY, "1m", Setting.SPILL_DIRECTORY, directory.toString());
        try (Cluster cluster = Cluster.of(1, settings)) {
            Understudy node = cluster.node(0);
            for (int i = 0; i < 160; i++) {
                SessionRequest.put(cluster.sessions(0).create("s" + i, 0), "content", new byte[8000]);
            }
            Path own;
            try (var nodes = Files.newDirectoryStream(directory, "node-*")) {
                own = nodes.iterator().next();
            }
            Await.until(Await.LIMIT, () -> left(node), () -> left(node).isEmpty());
            Path stray = Files.createFile(own.resolve("segment-stray"));
            assertEquals(Set.of(stray.toString()), left(node));
            try (RandomAccessFile open = new RandomAccessFile(stray.toFile(), "r")) {
                Files.delete(stray);
                if (Files.isDirectory(Path.of("/proc/self/fd"))) {
                    assertEquals(Set.of(stray + " (deleted)"), left(node));
                }
                assertEquals(0, open.length());
            }
            assertEquals(Set.of(), left(node));
            Path second = Files.createDirectory(directory.resolve("node-stray"));
            assertEquals(Set.of(second.toString()), left(node));
        }
    }

    private Set<String> left(Understudy node) {
        return Leftovers.files(directory, List.of(node));
    }

    @Test
    void creditsOfAMulticastThatWasNotSentLack() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            awaitNoLack(cluster);
            CreditMap credits = (CreditMap)
                    cluster.stack(0).<SCOPE_FC>findProtocol(SCOPE_FC.class).getValue("credits");
            credits.decrement(new BytesMessage(null), LOST, 0);
            assertLackToBoth(cluster);
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void creditsOfAUnicastThatWasNotSentLack() {
        try (Cluster cluster = Cluster.of(2, Map.of())) {
            awaitNoLack(cluster);
            UFC unicasts = cluster.stack(0).findProtocol(UFC.class);
            ((Map<Object, Credit>) unicasts.getValue("sent"))
                    .values()
                    .forEach(credit -> credit.decrementIfEnoughCredits(new BytesMessage(null), LOST, 0));
            assertLackToBoth(cluster);
        }
    }

    private static void awaitNoLack(Cluster cluster) {
        Await.until(
                Await.LIMIT,
                cluster::lackingCredits,
                () -> cluster.lackingCredits().isEmpty());
    }

    /** The sender is a receiver, too. */
    private static void assertLackToBoth(Cluster cluster) {
        Await.until(
                Await.LIMIT,
                cluster::lackingCredits,
                () -> cluster.lackingCredits().values().stream()
                                .filter(lack -> lack >= LOST)
                                .count()
                        == 2);
    }
}
