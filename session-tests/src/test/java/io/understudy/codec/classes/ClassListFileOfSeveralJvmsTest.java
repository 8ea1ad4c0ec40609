package io.understudy.codec.classes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes on one machine write into one file of a list. */
@Tag("process")
class ClassListFileOfSeveralJvmsTest {

    private static final int WRITERS = 3;
    private static final int EACH = 25;

    @Test
    void severalJvmsOnOneFileLoseNothing(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("classes.txt");
        List<Process> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            writers.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ClassListFileOfSeveralJvmsTest.class.getName(),
                            file.toString(),
                            "w" + writer)
                    .redirectErrorStream(true)
                    .start());
        }
        for (Process writer : writers) {
            String said = new String(writer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, writer.waitFor(), said);
        }
        assertEquals(WRITERS * EACH, ClassListFile.read(file).size());
    }

    /** Adds one name after the other to a file. */
    public static void main(String[] args) throws IOException {
        for (int i = 0; i < EACH; i++) {
            ClassListFile.add(Path.of(args[0]), Set.of("shop." + args[1] + "$" + i));
        }
    }
}
