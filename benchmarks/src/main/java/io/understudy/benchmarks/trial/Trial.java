package io.understudy.benchmarks.trial;

import io.understudy.benchmarks.figures.Figures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * One run of an experiment: its rounds, and what it has to show.
 *
 * <p>Threads: the experiment's own.
 */
public final class Trial {

    /** One round. */
    @FunctionalInterface
    public interface Round {
        Figures measure() throws Exception;
    }

    /** The same for one of many rounds. */
    public interface NumberedRound {
        Figures measure(int number) throws Exception;
    }

    private static final String MEASURED = " | measured: ";

    private static final String UNJUDGED = "not judged at scale small";
    private static final String FAILED = "FAILED";

    private final Scale scale;
    private final Path results;
    private final Progress progress;
    private int demands;
    private int failed;

    public Trial(Scale scale, Path results, Progress progress) {
        this.scale = scale;
        this.results = results;
        this.progress = progress;
    }

    Scale scale() {
        return scale;
    }

    public boolean whole() {
        return scale == Scale.WHOLE;
    }

    /** A directory for logs and other files of this experiment. */
    public Path results() {
        return results;
    }

    /**
     * Runs a round and keeps what it measured; one that an earlier run has kept is not run again.
     *
     * @param name the same on each run, other than those of the other rounds, without a colon
     */
    public Figures round(String name, Round round) throws Exception {
        Figures kept = progress.get(name);
        if (kept != null) {
            say("round " + name + " (kept): " + kept);
            return kept;
        }
        long began = System.nanoTime();
        Figures figures = round.measure();
        progress.put(name, figures);
        say("round " + name + " (" + (System.nanoTime() - began) / 1_000_000_000 + " s): " + figures);
        return figures;
    }

    /** Runs rounds from 1 to {@code count} as {@link #round}, named and numbered, and adds up what they measured. */
    public Figures rounds(String name, int count, NumberedRound round) throws Exception {
        Figures sum = Figures.of(Map.of());
        for (int i = 1; i <= count; i++) {
            int number = i;
            sum = sum.plus(round(name + " " + number, () -> round.measure(number)));
        }
        return sum;
    }

    /** A line of output: a figure, or what is being done. */
    public void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /**
     * A promise that does not depend on the machine. It is judged at each scale.
     *
     * @param text the promise, with its number
     * @param measured the figure, with its unit
     */
    public void demand(String text, String measured, boolean ok) {
        demands++;
        failed += ok ? 0 : 1;
        say("demand: " + text + MEASURED + measured + " | " + (ok ? "ok" : FAILED));
    }

    /**
     * A promise about a duration, a rate or memory, which depends on the machine and its load. Scale small prints it
     * and does not judge it.
     *
     * @param text the promise, with its number
     * @param measured the figure, with its unit
     */
    public void floor(String text, String measured, boolean ok) {
        if (whole()) {
            demand(text, measured, ok);
        } else {
            unjudged("demand", text, measured, ok ? "ok" : "NOT REACHED");
        }
    }

    /**
     * As {@link #floor}, for a promise that is not kept yet: the output shows how near it is, and scale whole fails
     * if it is further from it than before.
     *
     * @param text the promise, with its number
     * @param measured the figure, with its unit
     * @param floor what was reached, with room for what machines and runs differ by
     * @param aboveFloor whether the figure is on the right side of it
     */
    public void goal(String text, String measured, boolean reached, double floor, boolean aboveFloor) {
        if (!whole()) {
            unjudged("goal", text, measured, reached ? "ok" : "NOT REACHED");
            return;
        }
        demands++;
        failed += aboveFloor ? 0 : 1;
        String bound = String.format(Locale.ROOT, ", the floor is %.3g", floor);
        String outcome = reached ? "ok" : (aboveFloor ? "NOT REACHED" : FAILED) + bound;
        say("goal: " + text + MEASURED + measured + " | " + outcome);
    }

    private void unjudged(String kind, String text, String measured, String outcome) {
        demands++;
        say(kind + ": " + text + MEASURED + measured + " | " + outcome + ", " + UNJUDGED);
    }

    /** Whether a line of output is of a demand or goal that was not met. */
    public static boolean tellsOfFailure(String line) {
        return line.contains(MEASURED) && line.contains(" | " + FAILED);
    }

    public int demands() {
        return demands;
    }

    public int failed() {
        return failed;
    }

    public void finish() throws IOException {
        progress.finish();
    }
}
