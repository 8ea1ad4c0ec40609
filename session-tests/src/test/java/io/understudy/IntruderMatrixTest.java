package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.testkit.Await;
import io.understudy.testkit.intruder.IntruderHost;
import io.understudy.testkit.intruder.Traffic;
import io.understudy.testkit.member.RemoteMember;
import io.understudy.testkit.member.Result;
import io.understudy.testkit.netns.Capture;
import io.understudy.testkit.netns.Namespaces;
import io.understudy.testkit.netns.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody in the network of a cluster with a secret, who hears all and says what he likes, changes nothing and learns nothing. */
@Tag("process")
@Timeout(1800)
class IntruderMatrixTest {

    private static final Duration LIMIT = Await.LIMIT;

    /** Longer than failure detection takes: whoever is to be missed is missed by then. */
    private static final Duration DETECTED = Duration.ofSeconds(5);

    /** What a member's heap may grow by, in bytes after a collection, from before the first attack to after the last. */
    private static final long GROWTH = 16L << 20;

    private static final int SESSIONS = 30;
    private static final String SECRET = "a secret of the tests";

    /** What tells of an attack. */
    private static final Set<Counter> UNSEALED = Set.of(Counter.FRAMES_REFUSED_UNSEALED);

    private static final Set<Counter> LENGTH = Set.of(Counter.FRAMES_REFUSED_LENGTH);
    private static final Set<Counter> SECRETS = Set.of(Counter.FRAMES_REFUSED_SECRET);
    private static final Set<Counter> REPLAYED = Set.of(Counter.FRAMES_REFUSED_REPLAYED);
    private static final Set<Counter> EARLIER =
            Set.of(Counter.FRAMES_REFUSED_LATE, Counter.FRAMES_REFUSED_REPLAYED, Counter.FRAMES_REFUSED_UNPROVEN);

    private static final Set<Counter> MISDIRECTED = Set.of(Counter.FRAMES_REFUSED_MISDIRECTED);

    private interface Attack {
        Object run() throws Exception;
    }

    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<RemoteMember, Long> heaps = new HashMap<>();
    private List<RemoteMember> members = List.of();
    private Map<String, Map<String, String>> held = Map.of();

    @BeforeEach
    void needsNamespaces() {
        Namespaces.assume();
        Capture.assume();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.add(resource);
        return resource;
    }

    private RemoteMember member(Network network, int index, Map<String, String> settings) {
        return opened(new RemoteMember(network, index, directory, settings));
    }

    private void start(List<RemoteMember> wanted) throws IOException {
        members = wanted;
        for (RemoteMember member : wanted) {
            if (member.figures().isEmpty()) {
                member.start();
            }
        }
        Await.until(
                LIMIT,
                () -> wanted.stream()
                        .map(member -> member.readiness() + member.figures().get("members"))
                        .toList(),
                () -> wanted.stream()
                        .allMatch(member -> member.ready()
                                && member.figure("members") == wanted.size()
                                && member.view().equals(wanted.get(0).view())));
    }

    /** Sessions of which each id, attribute name and value holds the word. */
    private void write(String word) {
        for (int i = 0; i < SESSIONS; i++) {
            RemoteMember member = members.get(i % members.size());
            Map<String, String> attributes = Map.of(word + "Name" + i, "a " + word + "Value of " + i);
            assertEquals(Result.ACKNOWLEDGED, member.create(word + "Id" + i + "-session", 1800, attributes));
        }
        held = members.get(0).dump();
        assertEquals(SESSIONS, held.size());
        writeOnce();
        members.forEach(member -> heaps.put(member, member.heap().used()));
    }

    private static List<String> words(String word) {
        return List.of(word + "Id", word + "Name", word + "Value");
    }

    /** Each member writes, and each holds what it wrote. */
    private void writeOnce() {
        for (RemoteMember member : members) {
            Map<String, String> attributes = Map.of("by", member.name() + System.nanoTime());
            Result result = held.containsKey("alive-" + member.name())
                    ? member.write("alive-" + member.name(), attributes)
                    : member.create("alive-" + member.name(), 1800, attributes);
            assertEquals(Result.ACKNOWLEDGED, result, member::name);
            held = new TreeMap<>(held);
            held.put("alive-" + member.name(), attributes);
        }
        for (RemoteMember member : members) {
            assertEquals(held, member.dump(), member::name);
        }
    }

    private List<String> views() {
        return members.stream().map(RemoteMember::view).toList();
    }

    private static long sum(Map<String, Long> figures, Set<Counter> counters) {
        return counters.stream()
                .mapToLong(counter -> figures.getOrDefault(counter.key(), 0L))
                .sum();
    }

    private void attack(String what, Set<Counter> counters, Attack attack) throws Exception {
        attack(what, counters, member -> counters.isEmpty() ? 0 : 1, attack);
    }

    /** @param demanded how many frames each member is to have refused, and counted, at least */
    private void attack(String what, Set<Counter> counters, ToLongFunction<RemoteMember> demanded, Attack attack)
            throws Exception {
        long began = System.nanoTime();
        List<String> views = views();
        Map<RemoteMember, Map<String, Long>> before = new HashMap<>();
        members.forEach(member -> before.put(member, member.figures()));
        Object done = attack.run();
        for (RemoteMember member : members) {
            long refused = sum(before.get(member), counters);
            Await.until(
                    LIMIT,
                    () -> what + ": " + member.name() + " refused " + member.figures() + " after " + before.get(member)
                            + " instead of " + demanded.applyAsLong(member),
                    () -> sum(member.figures(), counters) - refused >= demanded.applyAsLong(member));
        }
        writeOnce();
        assertEquals(views, views(), what);
        Map<String, List<Long>> counted = new TreeMap<>();
        for (RemoteMember member : members) {
            long used = member.heap().used();
            assertTrue(used < heaps.get(member) + GROWTH, () -> what + ": " + used + " after " + heaps.get(member));
            Map<String, Long> now = member.figures();
            Stream.of(Counter.values())
                    .map(Counter::key)
                    .filter(key -> key.startsWith("frames_refused_"))
                    .forEach(key -> counted.computeIfAbsent(key, any -> new ArrayList<>())
                            .add(now.get(key) - before.get(member).get(key)));
        }
        counted.values().removeIf(each -> each.stream().allMatch(count -> count == 0));
        System.out.println(
                what + ": " + done + "; " + counted + "; " + (System.nanoTime() - began) / 1_000_000 + " ms");
    }

    /** As long as it takes until a member is missed that somebody made others suspect. */
    private void goOn(List<String> views, long attacked) {
        long end = attacked + DETECTED.toNanos();
        Await.until(LIMIT, () -> "", () -> {
            writeOnce();
            assertEquals(views, views());
            return System.nanoTime() > end;
        });
    }

    private static long framesTo(RemoteMember member, Traffic heard) {
        return heard.streams().stream()
                .filter(stream -> stream.to().address().equals("10.78.0." + (member.index() + 1)))
                .mapToLong(stream -> stream.frames().size())
                .sum();
    }

    /** Nothing went wrong in a way that only the log tells. */
    private void judgeLogs() throws IOException {
        for (RemoteMember member : members) {
            List<String> lines = Files.readAllLines(directory.resolve(member.name() + ".log"));
            assertEquals(
                    List.of(),
                    lines.stream()
                            .filter(line -> line.contains("OutOfMemoryError") || line.contains(" SEVERE "))
                            .toList());
        }
    }

    /** What is looked for in vain otherwise is found where nothing is sealed. */
    private Path control(Network network) throws Exception {
        List<RemoteMember> unprotected = List.of(
                member(network, 0, Map.of("transport", "auto")), member(network, 1, Map.of("transport", "auto")));
        Path file;
        try (Capture capture = network.capture(directory.resolve("unsealed.pcap"))) {
            file = capture.file();
            start(unprotected);
            write("clear");
        }
        Traffic heard = Traffic.read(file);
        for (String word : words("clear")) {
            assertTrue(heard.tells(word), () -> word + " is not in " + heard);
        }
        unprotected.forEach(RemoteMember::kill);
        return file;
    }

    private static void assertUnread(Path capture, String... besides) throws IOException {
        Traffic heard = Traffic.read(capture);
        assertTrue(heard.datagrams().size() > 20 && !heard.streams().isEmpty(), heard::toString);
        for (String word :
                Stream.concat(words("hidden").stream(), Stream.of(besides)).toList()) {
            assertFalse(heard.tells(word), () -> word + " can be read in " + capture);
        }
        System.out.println(capture.getFileName() + ": " + heard);
    }

    @Test
    void auto() throws Exception {
        Network network = opened(Network.of(6));
        Path unsealed = control(network);
        Map<String, String> settings = Map.of("transport", "auto", "secret", SECRET);
        List<RemoteMember> sealed =
                List.of(member(network, 0, settings), member(network, 1, settings), member(network, 2, settings));
        Path first = listen(
                network, sealed, () -> members.stream().allMatch(member -> member.figure("peers_by_multicast") == 2));
        Traffic heard = Traffic.read(first);
        IntruderHost intruder = opened(new IntruderHost(network.host(5), directory.resolve("intruder.log")));
        List<String> views = views();
        Path second;
        try (Capture capture = network.capture(directory.resolve("second.pcap"))) {
            second = capture.file();
            // The rest is from before its sender was proven, or is no frame of the transport.
            attack("capture replayed at once", REPLAYED, m -> framesTo(m, heard) / 2, () -> intruder.replay(first));
            attack("the same, by other ways", MISDIRECTED, m -> 20, () -> intruder.swap(first));
            RemoteMember other = outside(network, 3, Map.of("secret", "another secret of the tests"));
            attack("random bytes", UNSEALED, () -> intruder.noise(first));
            attack("2 GB declared by UDP", UNSEALED, () -> intruder.declareByUdp(first));
            attack("2 GB declared by TCP", LENGTH, () -> intruder.declareByTcp(first));
            attack("failure detection's port", UNSEALED, () -> intruder.side(first));
            attack("JGroups' messages, not sealed", UNSEALED, () -> intruder.replay(unsealed));
            attack("diagnostics", Set.of(), () -> probe(intruder, first));
            long probed = System.nanoTime();
            RemoteMember without = outside(network, 4, Map.of());
            attack("wrong secret", SECRETS, () -> stays(other));
            attack("no secret", UNSEALED, () -> stays(without));
            goOn(views, probed);
            other.kill();
            without.kill();
        }
        assertUnread(second);
        judgeLogs();

        members.get(1).kill();
        Await.until(LIMIT, () -> "" + views(), () -> sealed.get(0).figures().get("members") == 2);
        start(sealed);
        writeOnce();
        heaps.put(members.get(1), members.get(1).heap().used());
        List<String> restarted = views();
        attack("an earlier run's capture, one member restarted", EARLIER, () -> intruder.replay(first));
        goOn(restarted, System.nanoTime());

        members.forEach(RemoteMember::kill);
        start(sealed);
        held = Map.of();
        writeOnce();
        members.forEach(member -> heaps.put(member, member.heap().used()));
        List<String> anew = views();
        attack("an earlier run's capture, all restarted", EARLIER, () -> intruder.replay(first));
        goOn(anew, System.nanoTime());
        judgeLogs();
    }

    @Tag("whole")
    @Test
    void udp() throws Exception {
        Network network = opened(Network.of(3));
        Map<String, String> settings = Map.of("transport", "udp", "secret", SECRET);
        Path first = listen(network, List.of(member(network, 0, settings), member(network, 1, settings)), () -> true);
        IntruderHost intruder = opened(new IntruderHost(network.host(2), directory.resolve("intruder.log")));
        List<String> views = views();
        attack("capture replayed at once", REPLAYED, () -> intruder.replay(first));
        attack("random bytes", UNSEALED, () -> intruder.noise(first));
        attack("2 GB declared by UDP", UNSEALED, () -> intruder.declareByUdp(first));
        attack("diagnostics", Set.of(), () -> probe(intruder, first));
        goOn(views, System.nanoTime());
        judgeLogs();
    }

    /** Starts members and lets them write; what was heard of that, in which nothing can be read. */
    private Path listen(Network network, List<RemoteMember> sealed, BooleanSupplier begun) throws Exception {
        Path file;
        try (Capture capture = network.capture(directory.resolve("first.pcap"))) {
            file = capture.file();
            start(sealed);
            Await.until(LIMIT, () -> "as wanted", begun);
            write("hidden");
        }
        assertUnread(file, "node1", "experiment", SECRET);
        return file;
    }

    /** Nobody answers but the intruder, who would. */
    private static String probe(IntruderHost intruder, Path capture) throws IOException {
        String answers = intruder.probe(capture);
        assertEquals("done probe answers of [" + intruder.address() + "]", answers);
        return answers;
    }

    private RemoteMember outside(Network network, int index, Map<String, String> secret) throws IOException {
        Map<String, String> settings = new HashMap<>(secret);
        settings.putAll(Map.of("transport", "auto", "startAlone", "serve"));
        RemoteMember outside = member(network, index, settings);
        outside.start();
        return outside;
    }

    /** It is ready in a cluster of its own, and has nothing of this one. */
    private static String stays(RemoteMember outside) {
        outside.awaitReady(LIMIT);
        assertEquals(Result.MISSING, outside.read("hiddenId1-session").result());
        assertEquals(Map.of(), outside.dump());
        assertEquals(1L, outside.figures().get("members"));
        return outside.view();
    }
}
