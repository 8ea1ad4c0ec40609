package io.understudy.benchmarks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What came of demands, counted and written as Surefire does with tests.
 *
 * @param run demands, and errors
 * @param failures demands that were not met
 * @param errors experiments that could not be done
 */
record Tally(int run, int failures, int errors) {

    static final Tally NONE = new Tally(0, 0, 0);

    /** One experiment that could not be done. */
    static final Tally ERROR = new Tally(1, 0, 1);

    private static final Pattern LINE =
            Pattern.compile("Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: 0, .* -- in experiment .*");

    /** What such a line says; {@code null} if it is another. */
    static @Nullable Tally parse(String line) {
        Matcher matcher = LINE.matcher(line);
        return matcher.matches()
                ? new Tally(
                        Integer.parseInt(matcher.group(1)),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3)))
                : null;
    }

    Tally plus(Tally other) {
        return new Tally(run + other.run, failures + other.failures, errors + other.errors);
    }

    String line(long seconds, String experiment) {
        return this + ", Time elapsed: " + seconds + " s -- in experiment " + experiment;
    }

    @Override
    public String toString() {
        return "Tests run: " + run + ", Failures: " + failures + ", Errors: " + errors + ", Skipped: 0";
    }
}
