package io.understudy.benchmarks.process;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a Java program prints that runs in a process of its own, and ends by itself. */
public final class ProcessOutput {

    private final String text;

    private ProcessOutput(String text) {
        this.text = text;
    }

    /**
     * Runs the program. Its log is beside the others.
     *
     * @param seconds how long it may take
     * @param arguments the main class, and its arguments
     * @throws IllegalStateException if it takes longer, or ends with another exit code than 0
     */
    public static ProcessOutput of(Trial trial, String name, int seconds, List<String> options, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.addAll(arguments);
        Files.createDirectories(trial.results());
        Path log = trial.results().resolve(name + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + " did not end within " + seconds + " s, see " + log);
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(name + " ended with " + process.exitValue() + ", see " + log);
            }
            return new ProcessOutput(Files.readString(log, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * The first group of the pattern, where it first matches.
     *
     * @throws IllegalStateException if it does not match
     */
    public String found(String pattern) {
        Matcher line = Pattern.compile(pattern).matcher(text);
        if (!line.find()) {
            throw new IllegalStateException("no '" + pattern + "' in: " + text);
        }
        return line.group(1);
    }

    /** The figures that the program prints behind {@code figures:}. */
    public Figures figures() {
        return Figures.parse(found("figures: (.*)"));
    }
}
