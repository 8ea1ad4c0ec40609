package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.Understudy;
import io.understudy.config.ConfigException;
import io.understudy.testkit.ChildFirst;
import io.understudy.testkit.ClassJar;
import io.understudy.testkit.LogLines;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.session.SessionManager;
import org.eclipse.jetty.util.Jetty;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The session factory beside a Jetty or a core that it was not made for. */
@Tag("container")
final class JettyVersionTest {

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"9.4.57.v20241219", "11.0.24", "12.0.16", "12.0.z-SNAPSHOT"})
    void anOldJettyIsRefusedAndNamed(String version) {
        String message = assertThrows(ConfigException.class, () -> JettyVersion.check(version))
                .getMessage();
        assertTrue(message.startsWith("this server is Jetty " + version + ": expected Jetty 12.1"), message);
    }

    @Test
    void aNewerJettyIsWarnedOfOnce() {
        try (LogLines log = new LogLines("io.understudy")) {
            JettyVersion.check(Jetty.VERSION);
            JettyVersion.check("12.1.z-SNAPSHOT");
            JettyVersion.check("a build of our own");
            assertEquals(List.of(), log.with("WARNING"));
            JettyVersion.check("12.2.0");
            JettyVersion.check("13.0.1");
            assertEquals(1, log.with("WARNING").size());
            assertEquals(1, log.with("WARNING", "Jetty 12.2.0", "not tested").size());
        }
    }

    @Test
    void theFactoryAsksBeforeAnythingElse() throws Exception {
        Path util = ClassJar.of(Jetty.class, directory.resolve("util.jar"), "12.0.16");
        try (ChildFirst loader = new ChildFirst(
                List.of(
                        util.toUri().toURL(),
                        ChildFirst.place(UnderstudySessionFactory.class),
                        ChildFirst.place(Understudy.class),
                        ChildFirst.place(SessionManager.class),
                        ChildFirst.place(Server.class),
                        ChildFirst.place(HttpHeader.class),
                        ChildFirst.place(Content.class)),
                List.of("io.understudy.", "org.eclipse.jetty."),
                List.of())) {
            assertTrue(refusal(loader).startsWith("this server is Jetty 12.0.16"), refusal(loader));
        }
    }

    @Test
    void aCoreOfAnotherReleaseIsRefusedAndBothAreNamed() throws Exception {
        Path adapter = ClassJar.of(UnderstudySessionFactory.class, directory.resolve("adapter.jar"), "2.0.0");
        Path core = ClassJar.of(Understudy.class, directory.resolve("core.jar"), "1.0.0");
        try (ChildFirst loader = new ChildFirst(
                List.of(adapter.toUri().toURL(), core.toUri().toURL()), List.of("io.understudy."), List.of())) {
            String message = refusal(loader);
            assertTrue(message.contains("2.0.0 in file:" + adapter), message);
            assertTrue(message.contains("1.0.0 in file:" + core), message);
        }
    }

    private static String refusal(ClassLoader loader) throws Exception {
        Constructor<?> constructor = Class.forName(UnderstudySessionFactory.class.getName(), true, loader)
                .getConstructor();
        Throwable cause = assertThrows(InvocationTargetException.class, constructor::newInstance)
                .getCause();
        assertEquals(ConfigException.class.getName(), cause.getClass().getName(), cause::toString);
        return cause.getMessage();
    }
}
