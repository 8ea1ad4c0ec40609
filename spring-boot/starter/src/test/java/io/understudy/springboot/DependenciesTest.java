package io.understudy.springboot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The starter is one dependency, and brings no Spring and no container. */
@Tag("cluster")
final class DependenciesTest {

    /** Written by maven-dependency-plugin; lines as {@code org.jgroups:jgroups:jar:5.5.7.Final:compile}. */
    private static final Path BRINGS = Path.of("target", "brings.txt");

    private static final Pattern DEPENDENCY = Pattern.compile("(?m)^\\s+([\\w.-]+:[\\w.-]+):jar:");

    /** The adapters and what they need. */
    private static final Set<String> EXPECTED = Set.of(
            "io.understudy:understudy-core",
            "io.understudy:understudy-jetty",
            "io.understudy:understudy-tomcat",
            "com.esotericsoftware:kryo",
            "com.esotericsoftware:minlog",
            "com.esotericsoftware:reflectasm",
            "com.github.ben-manes.caffeine:caffeine",
            "org.hdrhistogram:HdrHistogram",
            "org.jgroups:jgroups",
            "org.jspecify:jspecify",
            "org.objenesis:objenesis");

    @Test
    void itBringsTheAdaptersAndWhatTheyNeedAndNothingElse() throws IOException {
        String list = Files.readString(BRINGS);
        Set<String> brings = new TreeSet<>();
        Matcher dependency = DEPENDENCY.matcher(list);
        while (dependency.find()) {
            brings.add(dependency.group(1));
        }
        assertEquals(new TreeSet<>(EXPECTED), brings, list);
    }
}
