package io.understudy.distribution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The README's steps are two each, and a wrong setting is named by the start that fails. */
@Tag("distribution")
class SetUpIT {

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    void itTakesTwoStepsEach() throws Exception {
        assertEquals(2, Readme.lines("tomcat").size());
        assertEquals(2, Readme.lines("jetty").size());
    }

    @Test
    void jettyRefusesAPropertyThatIsNoSetting() throws Exception {
        try (Node node = Node.jetty(directory.resolve("node"), "server,http")) {
            Path ini = node.base().resolve("start.d/session-store-understudy.ini");
            assertTrue(Files.readString(ini).contains("# understudy.clusterName=understudy"));
            Files.writeString(ini, Files.readString(ini) + "\nunderstudy.bindPrt=7900\n");
            node.startInVain();
            assertTrue(
                    node.log()
                            .contains(
                                    "property 'understudy.bindPrt': unknown setting 'bindPrt'; did you mean 'bindPort'?"),
                    node::log);
        }
    }

    @Test
    void jettyRefusesAWrongValue() throws Exception {
        try (Node node = Node.jetty(directory.resolve("node"), "server,http")) {
            Path ini = node.base().resolve("start.d/session-store-understudy.ini");
            Files.writeString(ini, Files.readString(ini) + "\nunderstudy.bindPort=many\n");
            node.startInVain();
            assertTrue(node.log().contains("'bindPort'"), node::log);
        }
    }

    /** The files of the guide, with a wrong value: then its application shows that they were read. */
    @Test
    void jettyGivesOneApplicationSettingsOfItsOwn() throws Exception {
        try (Node node = Node.jetty(directory.resolve("node"), "server,http,ee10-deploy,ee10-jsp")) {
            Readme.write("quick-start-jetty.md", node.base());
            Path xml = node.base().resolve("etc/shop-sessions.xml");
            Files.writeString(xml, Files.readString(xml).replace("<Arg>incoherent</Arg>", "<Arg>many</Arg>"));
            Files.writeString(node.base().resolve("start.d/shop-sessions.ini"), "--module=shop-sessions\n");
            CartApplication.write(node.webapps().resolve("shop.war"), List.of());
            node.startUntilLogged(Pattern.compile("setting 'coherence' must be .*, was 'many'"));
        }
    }

    @Test
    void tomcatNamesAWrongSetting() throws Exception {
        try (Node node = Node.tomcat("11", directory.resolve("node"))) {
            Path context = node.base().resolve("conf/context.xml");
            Files.writeString(
                    context,
                    Files.readString(context)
                            .replace("UnderstudyManager\"", "UnderstudyManager\" clusterNam=\"shop\""));
            node.startUntilLogged(Pattern.compile("unknown setting 'clusterNam'; did you mean 'clusterName'\\?"));
        }
    }

    /** It has some thousand classes, and neither annotations nor tags in them. */
    @Test
    void tomcatDoesNotSearchTheJarForEachApplication() throws Exception {
        try (Node node = Node.tomcat("10.1", directory.resolve("node"))) {
            Path logging = node.base().resolve("conf/logging.properties");
            Files.writeString(
                    logging,
                    Files.readString(logging)
                            + "\njava.util.logging.ConsoleHandler.level = ALL"
                            + "\norg.apache.tomcat.util.scan.StandardJarScanner.level = ALL\n");
            node.start("/");
            List<String> named = node.log()
                    .lines()
                    .filter(line -> line.contains("StandardJarScanner") && line.contains("understudy-tomcat"))
                    .toList();
            assertFalse(named.isEmpty());
            assertEquals(
                    List.of(),
                    named.stream()
                            .filter(line -> !line.contains("Not performing JAR scanning"))
                            .toList());
        }
    }
}
