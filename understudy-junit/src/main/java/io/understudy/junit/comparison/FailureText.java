package io.understudy.junit.comparison;

import io.understudy.doctor.findings.Finding;
import io.understudy.junit.comparison.Discrepancy.Kind;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/** What a test fails with: the first difference, what explains it, and the way out. */
public final class FailureText {

    /** Explanations that are shown. */
    private static final int MOST = 3;

    private FailureText() {}

    /**
     * The failure.
     *
     * @param lost transient fields without a value on the next node
     * @param notes what the run did not test
     * @param failed why the test itself did not pass; {@code null} if it did
     */
    public static AssertionFailedError of(
            String run,
            Discrepancy first,
            List<String> lost,
            List<Finding> findings,
            List<String> notes,
            @Nullable Throwable failed) {
        StringBuilder text = new StringBuilder(first.what())
                .append(": expected ")
                .append(first.expected())
                .append(" as on one node, actual ")
                .append(first.actual())
                .append("\n  in the run '")
                .append(run)
                .append("', ")
                .append(first.request())
                .append(", answered by ")
                .append(first.node());
        if (first.kind() == Kind.RESPONSE) {
            lost.stream().limit(MOST).forEach(each -> line(text, "transient " + each));
        }
        findings(first, findings).limit(MOST).forEach(each -> line(text, "session doctor: " + each));
        notes.stream().limit(MOST).forEach(each -> line(text, "not compared: " + each));
        line(text, "way out: " + first.kind().wayOut());
        if (failed != null) {
            line(text, "the test itself failed: " + failed);
        }
        return new AssertionFailedError(text.toString(), first.expected(), first.actual(), failed);
    }

    /** Those of the attribute; if it is no attribute that differs, all. */
    private static Stream<Finding> findings(Discrepancy first, List<Finding> findings) {
        Predicate<Finding> concerned =
                each -> first.attribute().isEmpty() || each.attribute().equals(first.attribute());
        return first.kind() == Kind.REQUEST ? Stream.of() : findings.stream().filter(concerned);
    }

    private static void line(StringBuilder text, String line) {
        text.append("\n  ").append(line);
    }
}
