package io.understudy.benchmarks.trial;

import io.understudy.benchmarks.figures.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rounds of an experiment that are done, in a file, so that an experiment that was ended goes on where it stood.
 *
 * <pre>
 * file  := "# " code LF, round*
 * round := name ":" SP figures LF
 * </pre>
 *
 * <p>{@code code} names the classes the rounds were run with; rounds of other code are dropped. A last line without
 * LF was cut short, and is dropped too.
 *
 * <p>Threads: one.
 */
public final class Progress {

    private final Path file;
    private final Map<String, Figures> rounds = new LinkedHashMap<>();

    private Progress(Path file) {
        this.file = file;
    }

    /**
     * Opens the file, or begins it anew.
     *
     * @param code what the rounds must have been run with; others are dropped
     */
    public static Progress open(Path file, String code) throws IOException {
        Progress progress = new Progress(file);
        String head = "# " + code;
        if (Files.exists(file)) {
            String text = Files.readString(file);
            List<String> lines =
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
            if (!lines.isEmpty() && lines.get(0).equals(head)) {
                lines.subList(1, lines.size()).forEach(progress::read);
            }
        }
        StringBuilder text = new StringBuilder(head).append('\n');
        progress.rounds.forEach((name, figures) -> text.append(line(name, figures)));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text);
        return progress;
    }

    private void read(String line) {
        int colon = line.indexOf(": ");
        rounds.put(line.substring(0, colon), Figures.parse(line.substring(colon + 2)));
    }

    private static String line(String name, Figures figures) {
        return name + ": " + figures + "\n";
    }

    /** What the round of this name measured, if it is done. */
    @Nullable
    Figures get(String round) {
        return rounds.get(round);
    }

    public int size() {
        return rounds.size();
    }

    /** Keeps a round, before this returns. */
    void put(String round, Figures figures) throws IOException {
        if (round.contains(":") || round.contains("\n")) {
            throw new IllegalArgumentException("a round's name has no colon and is one line, was '" + round + "'");
        }
        rounds.put(round, figures);
        Files.writeString(file, line(round, figures), StandardOpenOption.APPEND);
    }

    /** All rounds are done: the next start begins anew. The file stays beside it as {@code .rounds}. */
    void finish() throws IOException {
        String name = String.valueOf(file.getFileName());
        Path done = file.resolveSibling(name.substring(0, name.lastIndexOf('.')) + ".rounds");
        Files.move(file, done, StandardCopyOption.REPLACE_EXISTING);
    }
}
