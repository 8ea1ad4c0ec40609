package io.understudy.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.testkit.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application with other versions of Understudy's libraries inside uses its own, and its sessions are replicated. */
@Tag("distribution")
class OwnLibrariesIT {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"10.1", "11"})
    void onTomcat(String line) throws Exception {
        try (Node one = Node.tomcat(line, directory.resolve("one"));
                Node other = Node.tomcat(line, directory.resolve("other"))) {
            usesItsOwn(one, other);
        }
    }

    @Test
    void onJetty() throws Exception {
        String modules = "server,http,ee10-deploy,ee10-jsp";
        try (Node one = Node.jetty(directory.resolve("one"), modules);
                Node other = Node.jetty(directory.resolve("other"), modules)) {
            usesItsOwn(one, other);
        }
    }

    private static void usesItsOwn(Node one, Node other) throws Exception {
        for (Node node : List.of(one, other)) {
            CartApplication.write(node.webapps().resolve("shop.war"), libraries());
            node.start("/shop/cart.jsp");
        }
        one.awaitReadyAmong(2);
        other.awaitReadyAmong(2);
        Browser browser = new Browser();
        assertEquals("[a]", browser.get(one, "/shop/cart.jsp?item=a"));
        List<String> said = libraries(browser, one);
        assertEquals(List.of("[a, 1]", "2", "1"), said.subList(0, 3));
        assertTrue(said.get(3).startsWith("4."), () -> "version of JGroups: " + said.get(3));
        assertEquals(
                3, said.stream().filter(line -> line.contains("/WEB-INF/lib/")).count(), said::toString);
        one.kill();
        assertEquals("[a, b]", browser.get(other, "/shop/cart.jsp?item=b"));
        assertEquals(said.subList(0, 4), libraries(browser, other).subList(0, 4));
    }

    private static List<String> libraries(Browser browser, Node node) {
        return browser.get(node, "/shop/libraries.jsp").strip().lines().toList();
    }

    private static List<Path> libraries() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target/old-libraries"))) {
            return files.toList();
        }
    }
}
