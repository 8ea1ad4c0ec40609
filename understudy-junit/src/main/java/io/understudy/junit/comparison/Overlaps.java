package io.understudy.junit.comparison;

import io.understudy.doctor.Likeness;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a run that were under way at the same time. Their order is not the same in each run, so what comes of
 * those that change one session is not, either.
 *
 * <p>Threads: immutable.
 */
final class Overlaps {

    /** Requests of one session, of which each overlaps another one. */
    private final List<List<Exchange>> groups = new ArrayList<>();

    private final Set<Exchange> unordered = new HashSet<>();

    /** @param same whether two sessions are the same */
    Overlaps(List<Exchange> run, BiPredicate<Map<String, Likeness>, Map<String, Likeness>> same) {
        for (Exchange each : run) {
            List<Exchange> beside = new ArrayList<>(List.of(each));
            groups.removeIf(group -> {
                boolean joins = group.stream().anyMatch(other -> overlap(each.course(), other.course()));
                if (joins) {
                    beside.addAll(group);
                }
                return joins;
            });
            groups.add(beside);
        }
        groups.removeIf(group -> group.size() < 2);
        for (List<Exchange> group : groups) {
            Exchange before = lastKnown(run, group, begin(group));
            Exchange after = last(group);
            boolean changed =
                    before == null || !after.course().known() || !same.test(before.session(), after.session());
            if (changed) {
                unordered.addAll(group);
            }
        }
    }

    private static boolean overlap(Course one, Course other) {
        return !one.background() && !other.background() && one.overlaps(other) && one.sharesSession(other);
    }

    private static long begin(List<Exchange> group) {
        return group.stream().mapToLong(each -> each.course().begin()).min().orElseThrow();
    }

    /** The one whose response ended last. */
    static Exchange last(List<Exchange> group) {
        return group.stream()
                .max(Comparator.comparingLong(each -> each.course().end()))
                .orElseThrow();
    }

    /** The latest of the session before that moment; {@code null} if there is none. */
    private static @Nullable Exchange lastKnown(List<Exchange> run, List<Exchange> group, long moment) {
        return run.stream()
                .filter(each -> each.course().known() && each.course().end() < moment)
                .filter(each -> group.get(0).course().sharesSession(each.course()))
                .max(Comparator.comparingLong(each -> each.course().end()))
                .orElse(null);
    }

    /** Whether a request overlapped others that changed its session. */
    boolean unordered(Exchange exchange) {
        return unordered.contains(exchange);
    }

    /** The requests of its session that it overlapped, directly or by others, and itself. */
    List<Exchange> beside(Exchange exchange) {
        return groups.stream()
                .filter(group -> group.contains(exchange))
                .findFirst()
                .orElse(List.of(exchange));
    }

    /**
     * A run in the order of another one, as far as its requests were under way at the same time in one of the two.
     *
     * @param order the other run
     */
    static List<Exchange> inOrder(List<Exchange> run, List<Exchange> order) {
        List<Exchange> left = new ArrayList<>(run);
        List<Exchange> ordered = new ArrayList<>();
        for (Exchange each : order) {
            if (!left.isEmpty()) {
                ordered.add(left.remove(place(each, left, order)));
            }
        }
        ordered.addAll(left);
        return ordered;
    }

    /** The place of a request among those that are left; the first if it is not there. */
    private static int place(Exchange each, List<Exchange> left, List<Exchange> order) {
        Exchange first = left.get(0);
        long end = first.course().end();
        boolean overlapped = order.stream()
                .anyMatch(other -> other.sameRequest(first) && other.course().overlaps(each.course()));
        for (int at = 0; at < left.size(); at++) {
            Exchange candidate = left.get(at);
            if (!overlapped && candidate.course().begin() > end) {
                return 0;
            }
            if (candidate.sameRequest(each)) {
                return at;
            }
            end = Math.max(end, candidate.course().end());
        }
        return 0;
    }
}
