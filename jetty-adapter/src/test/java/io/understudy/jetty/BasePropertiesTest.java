package io.understudy.jetty;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class BasePropertiesTest {

    @TempDir
    Path base;

    @Test
    void aNameThatIsNoSettingIsRefusedWithTheNearest() throws Exception {
        Path file = Files.createDirectories(base.resolve("start.d")).resolve("understudy.ini");
        Files.writeString(file, "--module=session-store-understudy\n understudy.bindPrt = 7900\n");
        UnderstudySessionFactory factory = new UnderstudySessionFactory();
        ConfigException refused = assertThrows(ConfigException.class, () -> factory.checkPropertiesOf(base.toString()));
        assertEquals(
                file + ": property 'understudy.bindPrt': unknown setting 'bindPrt'; did you mean 'bindPort'?",
                refused.getMessage());
    }

    @Test
    void startIniIsLookedAtToo() throws Exception {
        Files.writeString(base.resolve("start.ini"), "understudy.cluster=shop\n");
        assertThrows(ConfigException.class, () -> BaseProperties.check(base));
    }

    @Test
    void settingsAndWhatIsOffAreLeftAlone() throws Exception {
        Files.writeString(
                base.resolve("start.ini"),
                "understudy.clusterName=shop\nunderstudy.hosts?=a:1\n# understudy.nothing=1\njetty.http.port=8081\n");
        assertDoesNotThrow(() -> BaseProperties.check(base));
        assertDoesNotThrow(() -> BaseProperties.check(base.resolve("nothing here")));
    }
}
