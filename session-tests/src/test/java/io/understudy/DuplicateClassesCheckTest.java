package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.ChildFirst;
import io.understudy.testkit.ClassJar;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.LoopbackCluster;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications with and without classes of Understudy of their own. */
@Tag("cluster")
class DuplicateClassesCheckTest {

    @TempDir
    private Path directory;

    @Test
    void anApplicationThatBringsUnderstudyIsToldOnceWithItsJar() throws Exception {
        Path jar = ClassJar.of(Understudy.class, directory.resolve("lib/copy.jar"), "1.0.0");
        try (LogLines log = new LogLines("io.understudy");
                Understudy node = Understudy.start(LoopbackCluster.configs(1).get(0));
                ChildFirst child = new ChildFirst(List.of(jar.toUri().toURL()), List.of("io.understudy."), List.of());
                URLClassLoader plain = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
            node.join("/embedded", getClass()::getClassLoader).close();
            node.join("/shop", () -> plain).close();
            assertEquals(List.of(), log.with("twice"));
            node.join("/till", () -> child).close();
            assertEquals(
                    1,
                    log.with("WARNING", "/till@node1 - ", jar.toString(), "WEB-INF/lib")
                            .size());
            assertEquals(1, log.with("twice").size());
        }
    }
}
