package io.understudy.benchmarks.exploration;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.codec.HostileReading;
import io.understudy.codec.Outsiders;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What reads bytes of other members, called by a fuzzer that looks which branches they take (Jazzer), in a JVM of its
 * own. It begins with valid frames and attributes, and with what an earlier run found to take other branches. The
 * bytes of a finding are in a file beside the log. The JVM notes which classes it initializes.
 */
public final class Fuzz {

    /** Of each of the two. */
    private static final Duration SMALL = Duration.ofSeconds(10);

    private static final Duration WHOLE = Duration.ofMinutes(5);

    /** Longer bytes take other branches no more. */
    private static final int MAX_BYTES = 8192;

    /** One reading may take that long, in seconds. */
    private static final int READING_LIMIT = 20;

    /** The exit codes of a finding: a reading that took too long, or too much memory, or failed. */
    private static final Set<Integer> FOUND = Set.of(70, 71, 77);

    private static final Pattern EXECUTED = Pattern.compile("stat::number_of_executed_units: *(\\d+)");
    /** As the JVM notes it, with the name as class files have it. */
    private static final Pattern INITIALIZED = Pattern.compile("\\d+ Initializing '([^']+)'.*");

    private static final Pattern BRANCHES = Pattern.compile("#\\d+\\s+\\w+\\s+cov: (\\d+) .*");

    private Fuzz() {}

    public static void run(Trial trial) throws Exception {
        fuzz(trial, "frames", FuzzedFrames.class, HostileReading.frames(), 33_000);
        fuzz(trial, "attributes", FuzzedAttributes.class, HostileReading.attributes(), 660);
    }

    /** @param readings that are expected of the small run, on a slow machine */
    private static void fuzz(Trial trial, String name, Class<?> target, List<byte[]> seeds, long readings)
            throws Exception {
        Duration time = trial.whole() ? WHOLE : SMALL;
        long expected = readings * time.toSeconds() / SMALL.toSeconds();
        Figures found = trial.round(name, () -> fuzz(trial, name, target, seeds, time));
        trial.demand(
                name + ": no exception but the declared one, bounded memory, no class outside the list initialized",
                (long) found.get("findings") + " findings",
                found.get("findings") == 0);
        trial.demand(
                name + ": none of " + Outsiders.NAMES.size() + " classes outside the filter initialized",
                (long) found.get("outsiders") + " initialized",
                found.get("outsiders") == 0);
        trial.floor(
                name + ": at least " + expected + " readings in " + time.toSeconds() + " s",
                (long) found.get("readings") + " readings, " + (long) found.get("branches") + " branches",
                found.get("readings") >= expected || found.get("findings") > 0);
    }

    private static Figures fuzz(Trial trial, String name, Class<?> target, List<byte[]> seeds, Duration time)
            throws IOException, InterruptedException {
        Path directory = Files.createDirectories(trial.results().resolve("fuzz-" + name));
        Path corpus = Files.createDirectories(directory.resolve("corpus"));
        for (int i = 0; i < seeds.size(); i++) {
            if (seeds.get(i).length <= MAX_BYTES) {
                Files.write(corpus.resolve("seed-" + i), seeds.get(i));
            }
        }
        Path log = directory.resolve("log");
        Path initialized = directory.resolve("initialized");
        Process process = new ProcessBuilder(command(target, directory, corpus, initialized, time))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        Thread end = new Thread(process::destroyForcibly, "end-fuzzer");
        Runtime.getRuntime().addShutdownHook(end);
        long readings = 0;
        long branches = 0;
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                PrintWriter to = new PrintWriter(Files.newBufferedWriter(log))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                to.println(line);
                readings = figure(EXECUTED, line, readings);
                branches = figure(BRANCHES, line, branches);
                if (line.startsWith("== Java Exception") || line.startsWith("artifact_prefix")) {
                    trial.say(name + ": " + line);
                }
            }
        }
        int code = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        if (code != 0 && !FOUND.contains(code)) {
            throw new IllegalStateException("the fuzzer of " + name + " ended with code " + code + ", expected 0 or "
                    + FOUND + "; its log is " + log);
        }
        Set<String> outsiders = initialized(initialized);
        if (!outsiders.contains(target.getName())) {
            throw new IllegalStateException(initialized + ": expected " + target.getName() + " among the "
                    + outsiders.size() + " classes that were initialized");
        }
        outsiders.retainAll(Outsiders.NAMES);
        outsiders.forEach(outsider -> trial.say(name + ": initialized " + outsider));
        return Figures.of(
                Map.of("readings", readings, "branches", branches, "findings", code == 0 ? 0L : 1L, "outsiders", (long)
                        outsiders.size()));
    }

    private static Set<String> initialized(Path notes) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String line : Files.readAllLines(notes)) {
            Matcher matcher = INITIALIZED.matcher(line);
            if (matcher.matches()) {
                names.add(matcher.group(1).replace('/', '.'));
            }
        }
        return names;
    }

    private static long figure(Pattern pattern, String line, long otherwise) {
        Matcher matcher = pattern.matcher(line);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : otherwise;
    }

    private static List<String> command(Class<?> target, Path directory, Path corpus, Path initialized, Duration time) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx768m", "-XX:+EnableDynamicAgentLoading"));
        command.add("-Xlog:class+init=info:file=" + initialized + ":none:filecount=0");
        command.addAll(
                List.of("-classpath", System.getProperty("java.class.path"), "com.code_intelligence.jazzer.Jazzer"));
        command.add("--target_class=" + target.getName());
        command.add(
                "--instrumentation_includes=io.understudy.codec.**:io.understudy.wire.**:com.esotericsoftware.kryo.**");
        command.add("--custom_hook_includes=io.understudy.codec.**:io.understudy.wire.**");
        // Attributes may be patterns; what is in them is the application's business.
        command.add("--disabled_hooks=com.code_intelligence.jazzer.sanitizers.RegexInjection");
        command.add("--reproducer_path=" + directory);
        command.add("-artifact_prefix=" + directory + "/");
        command.add("-max_total_time=" + time.toSeconds());
        command.add("-timeout=" + READING_LIMIT);
        command.add("-max_len=" + MAX_BYTES);
        command.add("-print_final_stats=1");
        command.add(corpus.toString());
        return command;
    }
}
