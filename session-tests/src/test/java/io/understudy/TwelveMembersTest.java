package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import io.understudy.testkit.netns.Namespaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Twelve JVMs on hosts of their own, with small heaps, sealed, in auto. */
@Tag("process")
@Timeout(1800)
class TwelveMembersTest {

    private static final int MEMBERS = 12;

    /** The first of the view, which leads it, is among them. */
    private static final Set<Integer> KILLED = Set.of(0, 5, 11);

    @TempDir
    private Path directory;

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
    }

    private static void awaitAll(List<RemoteMember> members, String figure, long value) {
        RemoteMember.awaitFigures(members, figure, Collections.nCopies(members.size(), value));
    }

    private static void writeAndRead(List<RemoteMember> members, String prefix) {
        for (RemoteMember member : members) {
            assertEquals(Result.ACKNOWLEDGED, member.create(prefix + member.name(), 1800, Map.of("by", member.name())));
        }
        for (RemoteMember member : members) {
            for (RemoteMember other : members) {
                assertEquals(
                        Map.of("by", other.name()),
                        member.read(prefix + other.name()).pairs());
            }
        }
    }

    private static void told(String what, long began) {
        System.out.println(what + " after " + (System.nanoTime() - began) / 1_000_000 + " ms");
    }

    @Tag("whole")
    @Test
    void formOneClusterAndLoseThreeAtOnce() throws Exception {
        List<String> options = List.of(
                "-Xmx48m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.util.logging.SimpleFormatter.format=%1$tT.%1$tL %4$s %5$s%n");
        long began = System.nanoTime();
        try (RemoteCluster cluster = RemoteCluster.of(
                        MEMBERS,
                        (network, index) -> new RemoteMember(
                                network,
                                index,
                                directory,
                                Map.of("transport", "auto", "secret", "a secret of the tests"),
                                options))
                .start()) {
            told("one view of 12", began);
            writeAndRead(cluster.members(), "before-");
            awaitAll(cluster.members(), "peers_by_multicast", MEMBERS - 1);
            told("all by multicast", began);
            writeAndRead(cluster.members(), "multicast-");
            long killed = System.nanoTime();
            List<RemoteMember> left = new ArrayList<>();
            for (RemoteMember member : cluster.members()) {
                if (KILLED.contains(member.index())) {
                    member.kill();
                } else {
                    left.add(member);
                }
            }
            awaitAll(left, "members", left.size());
            told("one view of 9", killed);
            for (RemoteMember member : left) {
                for (RemoteMember writer : cluster.members()) {
                    for (String prefix : List.of("before-", "multicast-")) {
                        assertEquals(
                                Map.of("by", writer.name()),
                                member.read(prefix + writer.name()).pairs());
                    }
                }
            }
            writeAndRead(left, "after-");
            told("all", began);
        }
    }
}
