package io.understudy.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Experiment;
import io.understudy.benchmarks.trial.Scale;
import io.understudy.benchmarks.trial.Trial;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class ExperimentsTest {

    @TempDir
    Path results;

    private int run(Scale scale, Experiment.Procedure procedure) {
        Duration limit = Duration.ofMinutes(1);
        return Experiments.run(
                new Experiment("probe", Experiment.Judged.CORRECTNESS, "a test", limit, limit, procedure),
                scale,
                results);
    }

    @Test
    void theExitCodeTellsMetMissedAndImpossible() {
        assertEquals(0, run(Scale.SMALL, trial -> trial.demand("holds", "1", true)));
        assertEquals(2, run(Scale.SMALL, trial -> {
            trial.demand("holds", "1", true);
            trial.demand("does not", "0", false);
        }));
        assertEquals(1, run(Scale.SMALL, trial -> {
            throw new IOException("no network");
        }));
    }

    @Test
    void aDemandThatIsNotMetIsSeenInTheOutput() {
        assertEquals(
                List.of(
                        "demand: does not | measured: 0 | FAILED",
                        "demand: too slow | measured: 9 ms | FAILED",
                        "goal: far from it | measured: 0.3 | FAILED, the floor is 0.500"),
                written(Scale.WHOLE).filter(Trial::tellsOfFailure).toList());
    }

    @Test
    void floorsArePrintedAndNotJudgedAtScaleSmall() {
        assertEquals(
                List.of("demand: does not | measured: 0 | FAILED"),
                written(Scale.SMALL).filter(Trial::tellsOfFailure).toList());
        assertEquals(
                List.of(
                        "demand: too slow | measured: 9 ms | NOT REACHED, not judged at scale small",
                        "goal: nearly | measured: 0.7 | NOT REACHED, not judged at scale small",
                        "goal: far from it | measured: 0.3 | NOT REACHED, not judged at scale small"),
                written(Scale.SMALL).filter(line -> line.contains("not judged")).toList());
        assertEquals(0, run(Scale.SMALL, trial -> trial.floor("too slow", "9 ms", false)));
        assertEquals(2, run(Scale.WHOLE, trial -> trial.floor("too slow", "9 ms", false)));
    }

    /** The output of an experiment that does not meet some of its demands. */
    private Stream<String> written(Scale scale) {
        PrintStream out = System.out;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setOut(new PrintStream(written, true, UTF_8));
        try {
            run(scale, trial -> {
                trial.demand("holds", "1", true);
                trial.demand("does not", "0", false);
                trial.floor("too slow", "9 ms", false);
                trial.goal("nearly", "0.7", false, 0.5, true);
                trial.goal("far from it", "0.3", false, 0.5, false);
            });
        } finally {
            System.setOut(out);
        }
        return written.toString(UTF_8).lines();
    }

    @Test
    void anExperimentThatDemandsNothingIsAnError() {
        assertEquals(1, run(Scale.SMALL, trial -> trial.say("nothing")));
    }

    @Test
    void aRoundThatIsDoneIsNotRunAgainAfterAnEnd() {
        List<String> ran = new ArrayList<>();
        assertEquals(1, run(Scale.WHOLE, trial -> {
            trial.round("first", () -> counted(ran, "first"));
            throw new IOException("killed");
        }));
        assertEquals(0, run(Scale.WHOLE, trial -> {
            Figures first = trial.round("first", () -> counted(ran, "first"));
            Figures second = trial.round("second", () -> counted(ran, "second"));
            trial.demand("sum", "" + first.plus(second), first.get("n") + second.get("n") == 3);
        }));
        assertEquals(List.of("first", "second"), ran);
        assertFalse(Files.exists(results.resolve("probe.progress")), "the next start begins anew");
        assertTrue(Files.exists(results.resolve("probe.rounds")));
    }

    private static Figures counted(List<String> ran, String round) {
        ran.add(round);
        return Figures.of(Map.of("n", ran.size()));
    }

    @Test
    void talliesAreReadAsTheyAreWritten() {
        Tally tally = new Tally(12, 3, 1);
        assertEquals(tally, Tally.parse(tally.line(7, "order (small)")));
        assertNull(
                Tally.parse("Tests run: 12, Failures: 3, Errors: 1, Skipped: 0"), "a sum is not one more experiment");
        assertEquals("Tests run: 13, Failures: 3, Errors: 2, Skipped: 0", "" + tally.plus(Tally.ERROR));
    }
}
