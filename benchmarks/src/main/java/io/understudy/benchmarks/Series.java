package io.understudy.benchmarks;

import io.understudy.benchmarks.trial.Scale;
import io.understudy.benchmarks.trial.Trial;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Experiments one after the other, each in a JVM of its own, so that none measures what another has left behind. */
final class Series {

    private Series() {}

    /** Runs them all, also after one failed; the exit code is the worst. */
    static int run(List<String> names, Scale scale) {
        Tally all = Tally.NONE;
        List<String> failed = new ArrayList<>();
        for (String name : names) {
            all = all.plus(run(name, scale, failed));
        }
        // At the end, where it is seen.
        failed.forEach(System.out::println);
        System.out.println(all);
        return all.errors() > 0 ? Experiments.ERROR : all.failures() > 0 ? Experiments.FAILED : 0;
    }

    private static Tally run(String name, Scale scale, List<String> failed) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-classpath", System.getProperty("java.class.path")));
        command.addAll(List.of(Experiments.class.getName(), name, scale.word()));
        Tally tally = Tally.ERROR;
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            Thread end = new Thread(process::destroy, "end-experiment");
            Runtime.getRuntime().addShutdownHook(end);
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    System.out.println(line);
                    Tally found = Tally.parse(line);
                    tally = found == null ? tally : found;
                    if (Trial.tellsOfFailure(line)) {
                        failed.add("experiment " + name + " (" + scale.word() + "): " + line);
                    }
                }
            }
            // It ends itself (see Deadline), and has closed its output.
            int code = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(end);
            return code == 0 || tally.failures() + tally.errors() > 0 ? tally : tally.plus(Tally.ERROR);
        } catch (IOException e) {
            System.err.println("experiment " + name + " could not be started: " + e);
            return Tally.ERROR;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Tally.ERROR;
        }
    }
}
