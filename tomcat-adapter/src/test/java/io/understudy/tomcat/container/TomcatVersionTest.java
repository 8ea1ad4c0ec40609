package io.understudy.tomcat.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.Understudy;
import io.understudy.config.ConfigException;
import io.understudy.testkit.ChildFirst;
import io.understudy.testkit.ClassJar;
import io.understudy.testkit.LogLines;
import io.understudy.tomcat.UnderstudyManager;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Tomcat makes by name, beside a Tomcat or a core that it was not made for. */
@Tag("cluster")
class TomcatVersionTest {

    @TempDir
    private Path directory;

    /** As Tomcat 10.0 is. */
    @ParameterizedTest
    @ValueSource(strings = {"UnderstudyManager", "UnderstudyListener", "UnderstudySingleSignOn"})
    void anOldTomcatIsRefusedByNameBeforeItsClassesAreMissed(String type) throws Exception {
        try (ChildFirst loader = new ChildFirst(
                List.of(
                        ChildFirst.place(UnderstudyManager.class),
                        ChildFirst.place(Understudy.class),
                        ChildFirst.place(StandardContext.class)),
                List.of("io.understudy.", "org.apache."),
                List.of("jakarta.servlet.ServletConnection"))) {
            String message = refusal(type, loader);
            assertTrue(message.contains(ServerInfo.getServerInfo()), message);
            assertTrue(message.contains("expected Tomcat 10.1 or 11"), message);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UnderstudyManager", "UnderstudyListener", "UnderstudySingleSignOn"})
    void aCoreOfAnotherReleaseIsRefusedAndBothAreNamed(String type) throws Exception {
        Path adapter = ClassJar.of(UnderstudyManager.class, directory.resolve("adapter.jar"), "2.0.0");
        Path core = ClassJar.of(Understudy.class, directory.resolve("core.jar"), "1.0.0");
        try (ChildFirst loader = new ChildFirst(
                List.of(adapter.toUri().toURL(), core.toUri().toURL()), List.of("io.understudy."), List.of())) {
            String message = refusal(type, loader);
            assertTrue(message.contains("2.0.0 in file:" + adapter), message);
            assertTrue(message.contains("1.0.0 in file:" + core), message);
        }
    }

    @Test
    void aNewerTomcatIsWarnedOfOnceAndAHiddenVersionIsNone() {
        ClassLoader here = getClass().getClassLoader();
        try (LogLines log = new LogLines("io.understudy")) {
            TomcatVersion.check("Apache Tomcat/" + ServerInfo.getServerNumber(), ServerInfo.getServerNumber(), here);
            TomcatVersion.check("a server", "hidden", here);
            assertEquals(List.of(), log.with("WARNING"));
            TomcatVersion.check("Apache Tomcat/12.0.1", "12.0.1.0", here);
            TomcatVersion.check("Apache Tomcat/12.0.1", "12.0.1.0", here);
            assertEquals(
                    1, log.with("WARNING", "Apache Tomcat/12.0.1", "not tested").size());
        }
    }

    private static String refusal(String type, ClassLoader loader) throws Exception {
        Constructor<?> constructor =
                Class.forName("io.understudy.tomcat." + type, true, loader).getConstructor();
        Throwable cause = assertThrows(InvocationTargetException.class, constructor::newInstance)
                .getCause();
        assertEquals(ConfigException.class.getName(), cause.getClass().getName(), cause::toString);
        return cause.getMessage();
    }
}
