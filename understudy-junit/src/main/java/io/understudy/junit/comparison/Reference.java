package io.understudy.junit.comparison;

import io.understudy.doctor.Likeness;
import io.understudy.doctor.Likeness.Difference;
import io.understudy.junit.comparison.Discrepancy.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a test sees on one node. What differs between two such runs is expected to differ.
 *
 * <p>Threads: immutable.
 */
public final class Reference {

    /**
     * How another run compares.
     *
     * @param first {@code null} if it is the same
     * @param lost transient fields that had a value before the first difference, and have none on the other node
     * @param uncompared what was not compared, and why
     */
    public record Outcome(@Nullable Discrepancy first, List<String> lost, List<String> uncompared) {}

    private final List<Exchange> expected;
    private final List<Exchange> again;
    private final Ignored ignored;
    private final Overlaps overlaps;
    private final Overlaps overlapsAgain;

    /** Places in attributes that may differ. */
    private final Set<String> free;

    /** @param ignored what may differ, by the test's word */
    public Reference(List<Exchange> expected, List<Exchange> again, Ignored ignored) {
        this.expected = expected;
        this.again = Overlaps.inOrder(again, expected);
        this.ignored = ignored;
        this.overlaps = overlaps(expected);
        this.overlapsAgain = overlaps(again);
        this.free = new HashSet<>(ignored.places());
        for (int at = 0; at < common(this.again); at++) {
            if (expected.get(at).course().known() && this.again.get(at).course().known()) {
                differences(expected.get(at).session(), this.again.get(at).session())
                        .forEach((pattern, each) -> free.add(pattern));
            }
        }
    }

    private static Overlaps overlaps(List<Exchange> run) {
        return new Overlaps(run, (one, other) -> differences(one, other).isEmpty());
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
     * @param run the exchanges in the order of their begin
     * @param complete whether the test came to its end
     */
    public Outcome compare(List<Exchange> run, boolean complete) {
        List<Exchange> actual = Overlaps.inOrder(run, expected);
        Overlaps found = overlaps(run);
        Uncompared uncompared = new Uncompared();
        Map<String, String> lost = new LinkedHashMap<>();
        Discrepancy first = null;
        for (int at = 0; first == null && at < Math.min(common(actual), again.size()); at++) {
            Exchange one = expected.get(at);
            Exchange other = again.get(at);
            Exchange each = actual.get(at);
            if (!one.sameRequest(each)) {
                first = of(Kind.REQUEST, each, "request", one.toString(), each.toString());
            } else if (overlaps.unordered(one) || overlapsAgain.unordered(other) || found.unordered(each)) {
                uncompared.unordered(one, sameAfter(at, actual, found));
            } else if (uncompared.covers(one)) {
                uncompared.follows(one);
            } else {
                first = response(one, other, each, uncompared);
                if (first == null && one.course().known() && each.course().known()) {
                    first = session(one, each, lost);
                }
            }
        }
        boolean steady = expected.size() == again.size();
        if (first == null && complete && steady && actual.size() != expected.size()) {
            first = number(actual);
        }
        return new Outcome(first, List.copyOf(lost.values()), uncompared.lines());
    }

    /** Whether a session is the same in both runs after all requests that overlapped the one at this place in either. */
    private boolean sameAfter(int at, List<Exchange> actual, Overlaps found) {
        Set<Integer> places = new TreeSet<>(Set.of(at));
        int before = 0;
        while (before < places.size()) {
            before = places.size();
            for (int place : List.copyOf(places)) {
                overlaps.beside(expected.get(place)).forEach(each -> places.add(expected.indexOf(each)));
                if (place < actual.size()) {
                    found.beside(actual.get(place)).forEach(each -> places.add(actual.indexOf(each)));
                }
            }
            places.removeIf(place -> place >= common(actual));
        }
        Exchange one = Overlaps.last(places.stream().map(expected::get).toList());
        Exchange each = Overlaps.last(places.stream().map(actual::get).toList());
        return one.course().known()
                && each.course().known()
                && differences(one.session(), each.session()).isEmpty();
    }

    private Discrepancy number(List<Exchange> actual) {
        Exchange last = actual.isEmpty() ? expected.get(0) : actual.get(actual.size() - 1);
        return of(
                Kind.REQUEST,
                last,
                "number of requests",
                String.valueOf(expected.size()),
                String.valueOf(actual.size()));
    }

    private @Nullable Discrepancy response(Exchange one, Exchange other, Exchange actual, Uncompared uncompared) {
        Answer expected = one.answer();
        Answer again = other.answer();
        Answer found = actual.answer();
        if (!expected.present() || !again.present() || !found.present()) {
            uncompared.unanswered(one);
            return null;
        }
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
        if (!one.course().whole() || !other.course().whole() || !actual.course().whole()) {
            uncompared.cut(one);
            return null;
        }
        return body(found)
                .from(body(expected), body(again))
                .map(each -> of(Kind.RESPONSE, actual, "body", each.expected(), each.actual()))
                .orElse(null);
    }

    private Body body(Answer answer) {
        return new Body(ignored.masked(answer.body()));
    }

    private static String start(Answer answer) {
        String line = answer.body().strip().replaceAll("\\s+", " ");
        int most = 100;
        return line.isEmpty() ? "" : " with '" + (line.length() <= most ? line : line.substring(0, most) + "...") + "'";
    }

    private String masked(Answer answer, String header) {
        return Moments.masked(
                ignored.masked(Objects.requireNonNullElse(answer.headers().get(header), "none")));
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
