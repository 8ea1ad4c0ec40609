package io.understudy;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.Compiled;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.faults.Cluster;
import java.io.Serializable;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application's list of classes, learned by the nodes of one run and enforced in the next. */
@Tag("cluster")
class AttributeClassesTest {

    record Item(String name, int amount) implements Serializable {}

    static final class Cart implements Serializable {
        private static final long serialVersionUID = 1L;
        private final List<Item> items = new ArrayList<>();
    }

    record Added(String since) implements Serializable {}

    @TempDir
    Path dir;

    private Path file() {
        return dir.resolve("classes.txt");
    }

    private static Map<Setting, String> settings(String attributeClasses) {
        return Map.of(Setting.ATTRIBUTE_CLASSES, attributeClasses);
    }

    private static Cart cart() {
        Cart cart = new Cart();
        cart.items.add(new Item("tea", 2));
        return cart;
    }

    private Set<String> listed() throws Exception {
        return Files.readAllLines(file()).stream()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.toSet());
    }

    private static long count(Cluster cluster, int node, Counter counter) {
        return cluster.node(node).metrics().value(counter);
    }

    @Test
    void whatOneRunLearnsTheNextOneEnforces() throws Exception {
        try (Cluster cluster = Cluster.of(2, settings("learn " + file()))) {
            put(cluster.sessions(0).create("a", 1800), "cart", cart());
            assertEquals(1, ((Cart) find(cluster.sessions(1), "a").attributes().get("cart")).items.size());
            put(cluster.sessions(1).create("b", 1800), "list", new Item[] {new Item("tea", 1)});
            cluster.sessions(0).close();
            cluster.sessions(1).close();
            Set<String> learned = Set.of(Cart.class.getName(), Item.class.getName());
            Await.that("both are written", () -> Files.exists(file()) && listed().equals(learned));
        }
        try (Cluster cluster = Cluster.of(2, settings("enforce " + file()));
                LogLines log = new LogLines("io.understudy.session.failures")) {
            LiveSession session = cluster.sessions(0).create("a", 1800);
            put(session, "cart", cart());
            assertEquals(
                    "tea",
                    ((Cart) find(cluster.sessions(1), "a").attributes().get("cart"))
                            .items
                            .get(0)
                            .name());
            assertEquals(0, count(cluster, 0, Counter.ATTRIBUTES_NOT_REPLICATED));
            put(session, "added", new Added("this version"));
            put(session, "name", "ada");
            assertEquals("ada", find(cluster.sessions(1), "a").attributes().get("name"));
            assertNull(find(cluster.sessions(1), "a").attributes().get("added"));
            assertEquals(new Added("this version"), session.attributes().get("added"), "on its node it stays");
            assertEquals(1, count(cluster, 0, Counter.ATTRIBUTES_NOT_REPLICATED));
            assertEquals(
                    1,
                    log.with("'added'", "class " + Added.class.getName() + " is not in " + file(), "add it")
                            .size());
        }
    }

    /** A member that anybody got hold of can name any class: this one's list decides here. */
    @Test
    void anUnlistedClassOfAnotherMemberIsNeitherReadNorInitialized() throws Exception {
        Files.writeString(file(), "# Understudy attribute classes, version 1\n" + Item.class.getName() + "\n");
        String property = "understudy.cluster.canary";
        String source = "package shop; public class Canary implements java.io.Serializable {"
                + " static { System.setProperty(\"" + property + "\", \"sang\"); } }";
        try (Cluster cluster = Cluster.of(2, Map.of());
                URLClassLoader theirLoader = Compiled.loader("shop.Canary", source);
                URLClassLoader ourLoader = Compiled.loader("shop.Canary", source)) {
            ApplicationConfig enforcing =
                    cluster.node(1).config().application().with("attributeClasses", "enforce " + file());
            ReplicatedSessions theirs = cluster.node(0).join("/pay", () -> theirLoader);
            ReplicatedSessions ours = cluster.node(1).join("/pay", () -> ourLoader, enforcing);
            List<Understudy> both = List.of(cluster.node(0), cluster.node(1));
            for (Understudy node : both) {
                Await.that(
                        "all know it is ready",
                        () -> node.readiness().ready() && NodeFigures.knownReady(node, "/pay", both));
            }
            LiveSession session = theirs.create("a", 1800);
            assertEquals(Outcome.ACKNOWLEDGED, put(session, "item", new Item("tea", 1)));
            Object canary =
                    theirLoader.loadClass("shop.Canary").getConstructor().newInstance();
            assertEquals(Outcome.ACKNOWLEDGED, put(session, "canary", canary));
            assertEquals("sang", System.clearProperty(property));
            assertEquals(new Item("tea", 1), find(ours, "a").attributes().get("item"));
            assertNull(find(ours, "a").attributes().get("canary"));
            assertNull(System.getProperty(property));
            assertEquals(1, count(cluster, 1, Counter.ATTRIBUTES_NOT_DECODED));
        }
    }

    @Test
    void withoutItsListAnApplicationDoesNotStart() throws Exception {
        try (Cluster cluster = Cluster.of(1, Map.of())) {
            ApplicationConfig shop = cluster.node(0).config().application();
            String missing = refusal(cluster, shop.with("attributeClasses", "enforce " + file()));
            assertTrue(missing.startsWith("setting 'attributeClasses' must "), missing);
            assertTrue(missing.contains("was 'enforce " + file() + "': the file does not exist"), missing);
            assertTrue(missing.contains("the nearest valid value is 'learn " + file() + "'"), missing);
            Files.writeString(file(), "# Understudy attribute classes, version 1\n\nshop.*\n");
            for (String word : List.of("enforce ", "learn ")) {
                String malformed = refusal(cluster, shop.with("attributeClasses", word + file()));
                assertTrue(
                        malformed.contains("line 3 must be the binary name of a class, such as com.acme.Cart$Item, was "
                                + "'shop.*'"),
                        malformed);
            }
            String nowhere = refusal(cluster, shop.with("attributeClasses", "learn " + dir.resolve("no/list")));
            assertTrue(nowhere.contains("directory that exists"), nowhere);
            assertTrue(cluster.node(0).readiness().reason().contains(" 1 application"));
            Files.writeString(file(), "# Understudy attribute classes, version 1\n");
            cluster.node(0)
                    .join("/pay", getClass()::getClassLoader, shop.with("attributeClasses", "learn " + file()))
                    .close();
        }
    }

    private String refusal(Cluster cluster, ApplicationConfig settings) {
        return assertThrows(
                        ConfigException.class, () -> cluster.node(0).join("/pay", getClass()::getClassLoader, settings))
                .getMessage();
    }
}
