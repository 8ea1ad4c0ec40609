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
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several experiments, each in a JVM of its own, so that none measures what another has left behind.
 *
 * @param atOnce how many run beside each other; with more than one the output of each is printed when it ends
 */
record Series(int atOnce) {

    /** What an experiment printed of demands that were not met, and its tally. */
    private record Outcome(Tally tally, List<String> missed) {}

    /** Runs them all, also after one failed; the exit code is the worst. */
    int run(List<String> names, Scale scale) {
        List<Callable<Outcome>> runs = new ArrayList<>();
        names.forEach(name -> runs.add(() -> run(name, scale)));
        Tally all = Tally.NONE;
        List<String> missed = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        try {
            for (Future<Outcome> ended : threads.invokeAll(runs)) {
                Outcome outcome = ended.get();
                all = all.plus(outcome.tally);
                missed.addAll(outcome.missed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            all = all.plus(Tally.ERROR);
        } catch (ExecutionException e) {
            throw new IllegalStateException("an experiment's output could not be read", e);
        } finally {
            threads.shutdownNow();
        }
        // At the end, where it is seen.
        missed.forEach(System.out::println);
        System.out.println(all);
        return all.errors() > 0 ? Experiments.ERROR : all.failures() > 0 ? Experiments.FAILED : 0;
    }

    private Outcome run(String name, Scale scale) throws InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-classpath", System.getProperty("java.class.path")));
        command.addAll(List.of(Experiments.class.getName(), name, scale.word()));
        List<String> missed = new ArrayList<>();
        Tally tally = Tally.ERROR;
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            Thread end = new Thread(process::destroy, "end-experiment");
            Runtime.getRuntime().addShutdownHook(end);
            StringBuilder kept = new StringBuilder();
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (atOnce == 1) {
                        System.out.println(line);
                    } else {
                        kept.append(line).append(System.lineSeparator());
                    }
                    Tally found = Tally.parse(line);
                    tally = found == null ? tally : found;
                    if (Trial.tellsOfFailure(line)) {
                        missed.add("experiment " + name + " (" + scale.word() + "): " + line);
                    }
                }
            } finally {
                System.out.print(kept);
            }
            // It ends itself (see Deadline), and has closed its output.
            int code = process.waitFor();
            Runtime.getRuntime().removeShutdownHook(end);
            return new Outcome(
                    code == 0 || tally.failures() + tally.errors() > 0 ? tally : tally.plus(Tally.ERROR), missed);
        } catch (IOException e) {
            System.err.println("experiment " + name + " could not be started: " + e);
            return new Outcome(Tally.ERROR, missed);
        }
    }
}
