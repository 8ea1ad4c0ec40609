package io.understudy.distribution;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The README's commands, run as they stand there, in the directory where it is. */
final class Readme {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Readme() {}

    /** The lines of the command that is marked with this name. */
    static List<String> lines(String name) throws IOException {
        Matcher block = Pattern.compile("<!-- ci: " + name + " -->\n```bash\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve("README.md")));
        if (!block.find()) {
            throw new AssertionError("README.md has no command marked '<!-- ci: " + name + " -->'");
        }
        return block.group(1).lines().toList();
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
