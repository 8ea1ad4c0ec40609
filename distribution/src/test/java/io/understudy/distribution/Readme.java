package io.understudy.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The commands of the README and of the guide, run as they stand there, in the directory where the README is. */
final class Readme {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Readme() {}

    /** The lines of the command that is marked with this name, which is the same in each file. */
    static List<String> lines(String name) throws IOException {
        Pattern marked = Pattern.compile("<!-- ci: " + name + " -->\n```bash\n(.*?)```", Pattern.DOTALL);
        Set<List<String>> found = new HashSet<>();
        for (Path file : files()) {
            marked.matcher(Files.readString(file))
                    .results()
                    .forEach(block -> found.add(block.group(1).lines().toList()));
        }
        if (found.size() != 1) {
            throw new AssertionError("expected one command marked '<!-- ci: " + name
                    + " -->' in README.md and docs/guide, the same wherever it stands; found " + found);
        }
        return found.iterator().next();
    }

    /** Writes the files that a page of the guide shows, each below a comment with its name, into a directory. */
    static void write(String page, Path directory) throws IOException {
        Pattern shown = Pattern.compile("<!-- file: (\\S+) -->\n```text\n(.*?)```", Pattern.DOTALL);
        Matcher file = shown.matcher(Files.readString(ROOT.resolve("docs/guide").resolve(page)));
        while (file.find()) {
            Path target = directory.resolve(file.group(1));
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.group(2));
        }
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> guide = Files.list(ROOT.resolve("docs/guide"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            guide.filter(file -> file.toString().endsWith(".md")))
                    .toList();
        }
    }

    /** Runs it; it must succeed, and ask nothing. */
    static void run(String name, Map<String, String> environment) throws IOException, InterruptedException {
        for (String line : lines(name)) {
            ProcessBuilder command = new ProcessBuilder("bash", "-c", line)
                    .directory(ROOT.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
            command.environment().putAll(environment);
            Process process = command.start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new AssertionError(line + "\nended with " + process.exitValue() + ": " + said);
            }
        }
    }
}
