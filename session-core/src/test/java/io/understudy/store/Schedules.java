package io.understudy.store;

import io.understudy.store.Exploration.Request;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The parts of the whole exploration. Each has worlds of its own: parts differ in members, clocks or kinds of requests.
 *
 * <p>In every part members are split off, healed, crash and start again, and messages are duplicated and reordered at any
 * point. All kinds of requests meet in schedules of 7 events on 2 members and 5 on 3; every two of them in schedules of 8
 * and 6; what else can happen (uses that change nothing, the end of rival ids, and times that pass) in shorter ones.
 */
public final class Schedules {

    private static final long HOUR = 3_600_000;
    private static final Set<Request> CHANGES =
            EnumSet.of(Request.WRITE, Request.REMOVE, Request.RENAME, Request.INVALIDATE, Request.EXPIRE);

    /**
     * What a part found.
     *
     * @param states different ones
     * @param steps from one to the next
     */
    public record Result(long states, long steps) {}

    /** One part. */
    public record Part(String name, int members, int events, Set<Request> requests, List<Long> skewMillis) {

        /**
         * Explores it.
         *
         * @throws AssertionError with the schedule, if one breaks a law
         */
        public Result run() {
            long[] skew = skewMillis.stream().mapToLong(Long::longValue).toArray();
            Exploration exploration = new Exploration(MemberRules.PRODUCT, requests, events, skew);
            int states = exploration.run();
            return new Result(states, exploration.taken());
        }
    }

    private Schedules() {}

    /** All parts, the small ones first. */
    public static List<Part> whole() {
        List<Part> parts = new ArrayList<>();
        Set<Request> all = EnumSet.allOf(Request.class);
        for (List<Long> skew : List.of(List.of(0L, 0L), List.of(0L, -HOUR), List.of(0L, HOUR))) {
            parts.add(part("all", 4, all, skew));
            parts.add(part("changes", 6, CHANGES, skew));
        }
        for (List<Long> skew : List.of(List.of(0L, 0L, 0L), List.of(0L, -HOUR, HOUR))) {
            parts.add(part("all", 3, all, skew));
            parts.add(part("changes", 4, CHANGES, skew));
        }
        for (Request one : CHANGES) {
            for (Request other : CHANGES) {
                if (one.compareTo(other) < 0) {
                    String name = one + " and " + other;
                    parts.add(part(name, 8, EnumSet.of(one, other), List.of(0L, 0L)));
                    parts.add(part(name, 6, EnumSet.of(one, other), List.of(0L, 0L, 0L)));
                }
            }
        }
        parts.add(part("changes", 7, CHANGES, List.of(0L, 0L)));
        parts.add(part("changes", 5, CHANGES, List.of(0L, 0L, 0L)));
        return parts;
    }

    private static Part part(String kinds, int events, Set<Request> requests, List<Long> skew) {
        String name = kinds + ", " + events + " events, clocks "
                + skew.stream().map(s -> s / HOUR).toList();
        return new Part(name, skew.size(), events, requests, skew);
    }

    /** Explores one part, by its number, or all. */
    public static void main(String[] arguments) {
        List<Part> parts = whole();
        for (Part part : arguments.length == 0 ? parts : List.of(parts.get(Integer.parseInt(arguments[0])))) {
            long began = System.nanoTime();
            Result result = part.run();
            System.out.println(part.name() + ": " + result + ", " + (System.nanoTime() - began) / 1_000_000 + " ms");
        }
    }
}
