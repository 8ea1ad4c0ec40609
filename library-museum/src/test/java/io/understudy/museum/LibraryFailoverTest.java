package io.understudy.museum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.understudy.testkit.OwnPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What applications keep in sessions survives the nodes that wrote it, on real containers at default settings. */
@Tag("process")
@Timeout(600)
class LibraryFailoverTest {

    /** Two nodes of one cluster. */
    private record Pair(Server one, Server other, Layout layout) {

        @Override
        public String toString() {
            return one + "-" + other + "-" + layout;
        }
    }

    /** What each process printed is there after the test. */
    private static final Path LOGS = Path.of("target", "library-failover").toAbsolutePath();

    @TempDir
    private static Path directory;

    private static Path application;

    @BeforeAll
    static void unpack() throws IOException {
        application = WebApplication.unpack(directory.resolve("application"));
    }

    @TestFactory
    Stream<DynamicNode> samplesOfWarsOutliveTheirNodes() {
        return outlive(new Pair(Server.TOMCAT, Server.JETTY, Layout.WAR));
    }

    @TestFactory
    @Tag("whole")
    Stream<DynamicNode> flatSamplesOutliveTheirNodes() {
        return outlive(new Pair(Server.JETTY, Server.TOMCAT, Layout.FLAT));
    }

    private static Stream<DynamicNode> outlive(Pair pair) {
        return Stream.of(dynamicContainer(pair.toString(), Stream.of(pair).flatMap(LibraryFailoverTest::cases)));
    }

    private static Stream<DynamicTest> cases(Pair pair) {
        List<SampleSession> sessions;
        try {
            sessions = run(pair);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertFalse(sessions.isEmpty());
        return sessions.stream()
                .map(session -> dynamicTest(session.sample(), () -> assertEquals(List.of(), session.faults())));
    }

    /** One node sets what the other one passes back, and dies; the other one dies when the first was started again. */
    private static List<SampleSession> run(Pair pair) throws IOException {
        Membership members = Membership.take();
        try (ServerProcess one = start(pair.one(), pair, "one", members, 0);
                ServerProcess other = start(pair.other(), pair, "other", members, 1)) {
            one.awaitReadyAmong(2, "/samples");
            other.awaitReadyAmong(2, "/samples");
            List<SampleSession> sessions = SampleSession.of(one);
            sessions.forEach(session -> session.set(one, "made"));
            sessions.forEach(session -> session.pass(other, "made", "passed"));
            sessions.forEach(session -> session.pass(one, "passed", "back"));
            one.kill();
            sessions.forEach(session -> session.look(other));
            sessions.forEach(session -> session.look(other));
            try (ServerProcess again = start(pair.one(), pair, "again", members, 0)) {
                again.awaitReadyAmong(2, "/samples");
                other.kill();
                sessions.forEach(session -> session.look(again));
            }
            return sessions;
        }
    }

    private static ServerProcess start(Server server, Pair pair, String name, Membership members, int number)
            throws IOException {
        List<Integer> own = OwnPorts.take(2);
        Path files = LOGS.resolve(pair.toString()).resolve(name);
        return ServerProcess.start(
                server,
                new ServerProcess.Options(
                        pair.layout(), files, application, own.get(1), members.settings(name, number, own.get(0))));
    }
}
