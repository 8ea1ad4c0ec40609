package io.understudy.store;

import io.understudy.store.Exploration.Request;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The parts of the exploration, small and whole. Parts differ in members, clocks, kinds of requests or events.
 *
 * <p>One session with two attributes. In every part members are split off, healed, crash and start again, and messages
 * are duplicated and reordered at any point. Writes, removals, renames, invalidations and expiries all meet in schedules of
 * 8 events on 2 members and 6 on 3. With clocks that are an hour apart it is 6 events on 2 members and 4 on 3. What else can
 * happen (uses that change nothing, the end of rival ids, and times that pass) is in schedules of 5 events on 2 members and 3
 * on 3.
 */
public final class Schedules {

    private static final int THREADS = 2;
    private static final int SHARES = 8;
    private static final long HOUR = 3_600_000;
    private static final Set<Request> CHANGES =
            EnumSet.of(Request.WRITE, Request.REMOVE, Request.RENAME, Request.INVALIDATE, Request.EXPIRE);
    private static final Set<Request> ALL = EnumSet.allOf(Request.class);

    /** By how much each member's clock is off; members whose clocks agree can change places. */
    private static final List<List<Long>> CLOCKS_OF_2 = List.of(List.of(0L, 0L), List.of(0L, -HOUR), List.of(0L, HOUR));

    private static final List<List<Long>> CLOCKS_OF_3 = List.of(List.of(0L, 0L, 0L), List.of(0L, -HOUR, HOUR));

    /**
     * What a part found.
     *
     * @param states different ones
     * @param steps from one to the next
     */
    public record Result(long states, long steps) {}

    /**
     * One part.
     *
     * @param share of the schedules, from 0 to below {@code shares}
     * @param seen by the shares that were run before in this process, which need not be entered again; empty after the last
     */
    public record Part(
            String name,
            int members,
            int events,
            Set<Request> requests,
            List<Long> skewMillis,
            int share,
            int shares,
            SeenStates seen) {

        /** Parts with one setting may meet the same states; those with different ones never do. */
        public String setting() {
            return members + " members, clocks "
                    + skewMillis.stream().map(skew -> skew / HOUR).toList();
        }

        /**
         * Explores it, on two threads.
         *
         * @throws AssertionError with the schedule, if one breaks a law
         */
        public Result run() {
            long[] skew = skewMillis.stream().mapToLong(Long::longValue).toArray();
            Exploration exploration = new Exploration(MemberRules.PRODUCT, requests, events, seen, skew);
            long states = exploration.run(THREADS, share, shares);
            if (share == shares - 1) {
                seen.clear(); // The parts that follow need the room.
            }
            return new Result(states, exploration.taken());
        }
    }

    private Schedules() {}

    /** Everything in short schedules: below a minute. */
    public static List<Part> small() {
        List<Part> parts = new ArrayList<>();
        CLOCKS_OF_2.forEach(skew -> parts.add(part("all", 4, ALL, skew)));
        CLOCKS_OF_3.forEach(skew -> parts.add(part("all", 3, ALL, skew)));
        return parts;
    }

    /** All parts, the long ones last. */
    public static List<Part> whole() {
        List<Part> parts = new ArrayList<>();
        CLOCKS_OF_2.forEach(skew -> parts.add(part("all", 5, ALL, skew)));
        CLOCKS_OF_3.forEach(skew -> parts.add(part("all", 3, ALL, skew)));
        CLOCKS_OF_2.stream().skip(1).forEach(skew -> parts.add(part("changes", 6, CHANGES, skew)));
        CLOCKS_OF_3.stream().skip(1).forEach(skew -> parts.add(part("changes", 4, CHANGES, skew)));
        parts.addAll(shared("changes", 8, CHANGES, CLOCKS_OF_2.get(0)));
        parts.addAll(shared("changes", 6, CHANGES, CLOCKS_OF_3.get(0)));
        return parts;
    }

    private static Part part(String kinds, int events, Set<Request> requests, List<Long> skew) {
        return new Part(named(kinds, events), skew.size(), events, requests, skew, 0, 1, new SeenStates());
    }

    /** Parts that take minutes each, not hours. */
    private static List<Part> shared(String kinds, int events, Set<Request> requests, List<Long> skew) {
        SeenStates seen = new SeenStates();
        return IntStream.range(0, SHARES)
                .mapToObj(share -> new Part(
                        named(kinds, events) + ", share " + (share + 1) + " of " + SHARES,
                        skew.size(),
                        events,
                        requests,
                        skew,
                        share,
                        SHARES,
                        seen))
                .toList();
    }

    private static String named(String kinds, int events) {
        return kinds + ", " + events + " events";
    }
}
