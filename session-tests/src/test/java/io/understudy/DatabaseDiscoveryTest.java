package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.StartedNodes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that find each other by a table alone, of an H2 database in this JVM. */
@Tag("cluster")
@Timeout(300)
class DatabaseDiscoveryTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final String PASSWORD = "not to be shown";

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @TempDir
    private Path directory;

    private Map<Setting, String> settings(Map<Setting, String> more) {
        Map<Setting, String> all = new EnumMap<>(Map.of(
                Setting.DISCOVERY_DATABASE, url,
                Setting.DISCOVERY_DATABASE_USER, "sa",
                Setting.DISCOVERY_DATABASE_PASSWORD, PASSWORD));
        all.putAll(more);
        return all;
    }

    private int sql(String command) {
        try (Connection connection = DriverManager.getConnection(url, "sa", PASSWORD);
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(command);
        } catch (SQLException e) {
            throw new AssertionError(command, e);
        }
    }

    private int rows() {
        try (Connection connection = DriverManager.getConnection(url, "sa", PASSWORD);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("SELECT count(*) FROM understudy_nodes")) {
            assertTrue(found.next());
            return found.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "auto", "sealed"})
    void nodesMakeTheTableFindEachOtherAndLeaveNothing(String kind) {
        Map<Setting, String> settings = settings(
                kind.equals("sealed")
                        ? Map.of(Setting.SECRET, "a secret of the tests")
                        : Map.of(Setting.TRANSPORT, kind));
        try (StartedNodes nodes = new StartedNodes(settings);
                StartedNodes others = new StartedNodes(settings)) {
            nodes.start("first");
            nodes.awaitOne();
            others.start("of another cluster");
            nodes.start("second");
            nodes.start("third");
            nodes.awaitOne();
            others.awaitOne();
            nodes.replicate();
            Await.until(LIMIT, this::rows, () -> rows() == 4);
            nodes.stop("first");
            nodes.awaitOne();
            nodes.start("fourth");
            nodes.awaitOne();
            nodes.replicate();
        }
        Await.until(LIMIT, this::rows, () -> rows() == 0);
    }

    @Test
    void aKilledNodesRowChangesNothing() {
        try (StartedNodes nodes = new StartedNodes(settings(Map.of()))) {
            int port = LoopbackCluster.freePorts(1).get(0);
            nodes.start("killed", "127.0.0.1", port);
            nodes.awaitOne();
            Await.until(LIMIT, this::rows, () -> rows() == 1);
            sql("CREATE TABLE saved AS SELECT * FROM understudy_nodes");
            nodes.stop("killed");
            assertEquals(1, sql("INSERT INTO understudy_nodes SELECT address, name, cluster, ip, true FROM saved"));
            nodes.start("other");
            nodes.awaitOne();
            nodes.start("again", "127.0.0.1", port);
            nodes.awaitOne();
            nodes.replicate();
            Await.until(LIMIT, this::rows, () -> rows() == 2);
        }
    }

    @Test
    void aTableThatIsGoneIsToldOfOnceAndUsedAgainWhenItIsBack() {
        try (LogLines log = new LogLines("io.understudy.discovery");
                StartedNodes nodes = new StartedNodes(settings(Map.of()))) {
            nodes.start("first");
            nodes.awaitOne();
            Await.until(LIMIT, this::rows, () -> rows() == 1);
            sql("ALTER TABLE understudy_nodes RENAME TO away");
            Await.until(
                    LIMIT,
                    () -> "no warning",
                    () -> !log.with("WARNING first - can't find other members").isEmpty());
            sql("ALTER TABLE away RENAME TO understudy_nodes");
            nodes.start("second");
            nodes.awaitOne();
            nodes.replicate();
            Await.until(
                    LIMIT,
                    () -> "nothing",
                    () -> !log.with("INFO first - finds other members", "again").isEmpty());
            assertEquals(1, log.with("WARNING first").size());
            assertEquals(0, log.with(PASSWORD).size());
        }
    }

    @Test
    void thePasswordMayBeInAFile() throws Exception {
        sql("CREATE TABLE unused (a int)");
        Path file = Files.writeString(directory.resolve("password"), PASSWORD + "\n");
        try (StartedNodes nodes =
                new StartedNodes(settings(Map.of(Setting.DISCOVERY_DATABASE_PASSWORD, "file:" + file)))) {
            nodes.start("first");
            nodes.start("second");
            nodes.awaitOne();
        }
    }

    @Test
    void aDatabaseThatCantBeUsedIsRefusedByNameAndNoPasswordIsShown() {
        sql("CREATE TABLE unused (a int)");
        assertRefused(
                Map.of(Setting.DISCOVERY_DATABASE, "jdbc:nothing://me:" + PASSWORD + "@db/shop?password=" + PASSWORD),
                "setting 'discoveryDatabase' is 'jdbc:nothing://db/shop', for which no JDBC driver was found: put the driver's "
                        + "jar beside Understudy's (found: org.h2.Driver)");
        assertRefused(
                Map.of(Setting.DISCOVERY_DATABASE_PASSWORD, "another " + PASSWORD),
                "setting 'discoveryDatabase' is '" + url.replaceFirst(";.*", "")
                        + "', where the table understudy_nodes can't be created or read (Wrong user name or password");
    }

    private void assertRefused(Map<Setting, String> wrong, String expected) {
        UnderstudyConfig.Builder builder = UnderstudyConfig.builder();
        settings(wrong).forEach(builder::set);
        UnderstudyConfig config = builder.build();
        String message = assertThrows(ConfigException.class, () -> Understudy.start(config))
                .getMessage();
        assertTrue(message.startsWith(expected), message);
        assertFalse(message.contains(PASSWORD), message);
        assertFalse(config.toString().contains(PASSWORD), config::toString);
    }
}
