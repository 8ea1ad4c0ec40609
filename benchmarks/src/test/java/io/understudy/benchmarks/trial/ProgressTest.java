package io.understudy.benchmarks.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.benchmarks.figures.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class ProgressTest {

    @TempDir
    Path results;

    @Test
    void roundsOfOtherCodeAndCutLinesAreDropped() throws IOException {
        Path file = results.resolve("x.progress");
        Progress first = Progress.open(file, "a");
        first.put("one", Figures.of(Map.of("lost", 0, "ms", 1.25)));
        Files.writeString(file, "two: lost=0 m", StandardOpenOption.APPEND);
        Progress again = Progress.open(file, "a");
        assertEquals(Figures.parse("lost=0 ms=1.25"), again.get("one"));
        assertNull(again.get("two"));
        assertNull(Progress.open(file, "b").get("one"));
        assertNull(Progress.open(file, "a").get("one"), "dropped for good");
    }
}
