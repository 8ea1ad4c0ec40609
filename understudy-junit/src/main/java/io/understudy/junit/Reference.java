package io.understudy.junit;

import io.understudy.doctor.Likeness;
import io.understudy.doctor.Likeness.Difference;
import io.understudy.junit.Discrepancy.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a test sees on one node. What differs between two such runs is expected to differ.
 *
 * <p>Threads: immutable.
 */
final class Reference {

    /**
     * How another run compares.
     *
     * @param first {@code null} if it is the same
     * @param lost transient fields that had a value before the first difference, and have none on the other node
     */
    record Outcome(@Nullable Discrepancy first, List<String> lost) {}

    private final List<Exchange> expected;
    private final List<Exchange> again;

    /** Places in attributes that may differ. */
    private final Set<String> free;

    /** @param ignored places in attributes that may differ, by the test's word */
    Reference(List<Exchange> expected, List<Exchange> again, List<String> ignored) {
        this.expected = expected;
        this.again = again;
        this.free = new HashSet<>(ignored);
        for (int at = 0; at < common(again); at++) {
            differences(expected.get(at).session(), again.get(at).session())
                    .forEach((pattern, each) -> free.add(pattern));
        }
    }

    private int common(List<Exchange> other) {
        return Math.min(expected.size(), other.size());
    }

    /** How many requests the test sends. */
    int requests() {
        return expected.size();
    }

    /**
     * Compares a run with this, request by request.
     *
     * @param complete whether the test came to its end
     */
    Outcome compare(List<Exchange> actual, boolean complete) {
        Map<String, String> lost = new LinkedHashMap<>();
        for (int at = 0; at < Math.min(common(actual), again.size()); at++) {
            Discrepancy response = response(expected.get(at), again.get(at), actual.get(at));
            if (response != null) {
                return new Outcome(response, List.copyOf(lost.values()));
            }
            Discrepancy session = session(expected.get(at), actual.get(at), lost);
            if (session != null) {
                return new Outcome(session, List.copyOf(lost.values()));
            }
        }
        boolean steady = expected.size() == again.size();
        boolean more = complete && steady && actual.size() != expected.size();
        return new Outcome(more ? number(actual) : null, List.copyOf(lost.values()));
    }

    private Discrepancy number(List<Exchange> actual) {
        Exchange last = actual.isEmpty() ? expected.get(0) : actual.get(actual.size() - 1);
        return new Discrepancy(
                Kind.REQUEST,
                last.toString(),
                last.node(),
                "number of requests",
                "",
                String.valueOf(expected.size()),
                String.valueOf(actual.size()));
    }

    private static @Nullable Discrepancy response(Exchange one, Exchange other, Exchange actual) {
        if (!one.method().equals(actual.method())
                || (one.target().equals(other.target()) && !one.target().equals(actual.target()))) {
            return of(Kind.REQUEST, actual, "request", one.toString(), actual.toString());
        }
        Answer expected = one.answer();
        Answer again = other.answer();
        Answer found = actual.answer();
        if (expected.status() == again.status() && expected.status() != found.status()) {
            return of(
                    Kind.RESPONSE,
                    actual,
                    "status",
                    expected.status() + start(expected),
                    found.status() + start(found));
        }
        Set<String> names = new TreeSet<>(expected.headers().keySet());
        names.addAll(found.headers().keySet());
        for (String name : names) {
            String value = masked(expected, name);
            if (value.equals(masked(again, name)) && !value.equals(masked(found, name))) {
                return of(Kind.RESPONSE, actual, "header " + name, value, masked(found, name));
            }
        }
        if (expected.cookies().equals(again.cookies()) && !expected.cookies().equals(found.cookies())) {
            return of(
                    Kind.RESPONSE,
                    actual,
                    "cookies that are set",
                    expected.cookies().toString(),
                    found.cookies().toString());
        }
        Optional<Body.Difference> body = new Body(found.body()).from(new Body(expected.body()), new Body(again.body()));
        return body.map(each -> of(Kind.RESPONSE, actual, "body", each.expected(), each.actual()))
                .orElse(null);
    }

    private static String start(Answer answer) {
        String line = answer.body().strip().replaceAll("\\s+", " ");
        int most = 100;
        return line.isEmpty() ? "" : " with '" + (line.length() <= most ? line : line.substring(0, most) + "...") + "'";
    }

    private static String masked(Answer answer, String header) {
        return Moments.masked(Objects.requireNonNullElse(answer.headers().get(header), "none"));
    }

    private static Discrepancy of(Kind kind, Exchange at, String what, String expected, String actual) {
        return new Discrepancy(kind, at.toString(), at.node(), what, "", expected, actual);
    }

    private @Nullable Discrepancy session(Exchange one, Exchange actual, Map<String, String> lost) {
        for (Map.Entry<String, Difference> entry :
                differences(one.session(), actual.session()).entrySet()) {
            Difference each = entry.getValue();
            if (free(entry.getKey())) {
                continue;
            }
            if (each.inTransient()) {
                lost.putIfAbsent(
                        entry.getKey(),
                        each.path() + ": " + each.expected() + " on one node, " + each.actual() + " on the next");
                continue;
            }
            String name = attribute(one, actual, each.path());
            boolean lacks = !actual.session().containsKey(name);
            return new Discrepancy(
                    lacks ? Kind.ATTRIBUTE_LACKING : Kind.ATTRIBUTE,
                    actual.toString(),
                    actual.node(),
                    "attribute " + each.path() + " after it, as the next node has it",
                    name,
                    each.expected(),
                    each.actual());
        }
        return null;
    }

    private static String attribute(Exchange one, Exchange actual, String path) {
        Set<String> names = new TreeSet<>(one.session().keySet());
        names.addAll(actual.session().keySet());
        String longest = "";
        for (String name : names) {
            if (path.startsWith(name) && name.length() > longest.length()) {
                longest = name;
            }
        }
        return longest;
    }

    private boolean free(String pattern) {
        return free.stream()
                .anyMatch(each ->
                        pattern.equals(each) || pattern.startsWith(each + ".") || pattern.startsWith(each + "["));
    }

    /** By the place, without indices and keys; only the first of each place. */
    private static Map<String, Difference> differences(Map<String, Likeness> expected, Map<String, Likeness> actual) {
        Map<String, Difference> differences = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>(expected.keySet());
        names.addAll(actual.keySet());
        for (String name : names) {
            for (Difference each : differences(name, expected.get(name), actual.get(name))) {
                if (!Moments.masked(each.expected()).equals(Moments.masked(each.actual()))) {
                    differences.putIfAbsent(each.pattern(), each);
                }
            }
        }
        return differences;
    }

    private static List<Difference> differences(String name, @Nullable Likeness expected, @Nullable Likeness actual) {
        if (expected != null && actual != null) {
            return expected.differences(actual);
        }
        List<Difference> one = new ArrayList<>();
        one.add(new Difference(name, name, shown(expected), shown(actual), false));
        return one;
    }

    private static String shown(@Nullable Likeness likeness) {
        return likeness == null ? "nothing" : likeness.toString();
    }
}
