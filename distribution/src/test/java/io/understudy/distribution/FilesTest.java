package io.understudy.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is in the jar for Tomcat and in the zip for Jetty. */
@Tag("cluster")
class FilesTest {

    private static final String VERSION = System.getProperty("understudy.version");
    private static final Path JAR = Path.of("target", "understudy-tomcat-" + VERSION + ".jar");
    private static final Path ZIP = Path.of("target", "understudy-jetty-" + VERSION + ".zip");

    private static List<String> entries(Path file) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(Object::toString)
                    .toList();
        }
    }

    private static String text(Path file, String name) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            ZipEntry entry = jar.getEntry(name);
            assertNotNull(entry, () -> name + " is not in " + file);
            return new String(jar.getInputStream(entry).readAllBytes(), UTF_8);
        }
    }

    /** Applications see what is in Tomcat's lib: nothing of others may be there under its own name. */
    @Test
    void theJarForTomcatHasNothingUnderOthersNames() throws Exception {
        Set<String> roots = entries(JAR).stream()
                .filter(name -> !name.startsWith("io/understudy/"))
                .collect(Collectors.toCollection(TreeSet::new));
        roots.removeIf(name -> name.startsWith("META-INF/services/"));
        assertEquals(
                Set.of(
                        "META-INF/LICENSE",
                        "META-INF/MANIFEST.MF",
                        "META-INF/NOTICE",
                        "META-INF/licenses/HdrHistogram.txt",
                        "META-INF/licenses/esotericsoftware.txt"),
                roots);
    }

    @Test
    void theFilesJGroupsFindsItsClassesByHaveTheirNewNames() throws Exception {
        for (String file : List.of("jg-magic-map.xml", "jg-protocol-ids.xml")) {
            String text = text(JAR, "io/understudy/libraries/jgroups/" + file);
            assertTrue(!text.contains("org.jgroups."), file);
            List<String> entries = entries(JAR);
            long found = text.lines()
                    .filter(line -> line.contains(" name=\""))
                    .map(line ->
                            line.replaceFirst(".* name=\"([^\"]*)\".*", "$1").replace('.', '/') + ".class")
                    .filter(entries::contains)
                    .count();
            // Some are of other artifacts of JGroups.
            assertTrue(found > 50, () -> file + " names " + found + " classes that are in the jar");
        }
    }

    @Test
    void bothCarryTheLicencesOfWhatTheyContain() throws Exception {
        for (String library : List.of("JGroups", "Kryo", "Caffeine", "Objenesis", "HdrHistogram")) {
            assertTrue(text(JAR, "META-INF/NOTICE").contains(library), library);
            assertTrue(text(ZIP, "lib/understudy/NOTICE").contains(library), library);
        }
        assertTrue(text(ZIP, "lib/understudy/LICENSE").contains("Apache License"));
        assertTrue(text(ZIP, "lib/understudy/licenses/esotericsoftware.txt").contains("Nathan Sweet"));
    }

    @Test
    void theZipForJettyHasTheModuleAndItsJars() throws Exception {
        Set<String> jars = entries(ZIP).stream()
                .filter(name -> name.endsWith(".jar"))
                .map(name -> name.replaceFirst("lib/understudy/(.*?)-\\d.*", "$1"))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(
                Set.of(
                        "HdrHistogram",
                        "caffeine",
                        "jgroups",
                        "kryo",
                        "minlog",
                        "objenesis",
                        "reflectasm",
                        "understudy-core",
                        "understudy-jetty"),
                jars);
    }

    /** Jetty hands over only the properties that are asked for by name. */
    @Test
    void theModuleNamesEverySetting() throws Exception {
        String template = text(ZIP, "modules/session-store-understudy.mod");
        String configuration = text(ZIP, "etc/sessions/understudy.xml");
        for (Setting setting : Setting.values()) {
            String lines = "## " + setting.description().replace("`", "") + "\n# understudy." + setting.key() + "="
                    + setting.defaultValue() + "\n";
            assertTrue(template.contains(lines), () -> "modules/session-store-understudy.mod lacks:\n" + lines);
            String call = "<Call name=\"setProperty\"><Arg>" + setting.key() + "</Arg><Arg><Property name=\"understudy."
                    + setting.key() + "\"/></Arg></Call>";
            assertTrue(configuration.contains(call), () -> "etc/sessions/understudy.xml lacks:\n" + call);
        }
    }
}
