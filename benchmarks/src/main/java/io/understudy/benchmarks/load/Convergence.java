package io.understudy.benchmarks.load;

import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.history.History;
import io.understudy.testkit.history.Promise;
import io.understudy.testkit.history.Verdict;
import io.understudy.testkit.member.RemoteMember;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What members hold when nothing is under way any more. */
public final class Convergence {

    /** Members have to be equal that long after the last fault. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private Convergence() {}

    /**
     * Waits until all members hold the same, then judges.
     *
     * @return the time it took in milliseconds; -1 if they are not equal after 5 s
     */
    public static long await(List<RemoteMember> members) {
        return await(members, System.nanoTime());
    }

    /** The same, with the 5 s counted from an earlier time by {@link System#nanoTime}. */
    public static long await(List<RemoteMember> members, long began) {
        return await(members, began, LIMIT);
    }

    /** The same with another limit. */
    static long await(List<RemoteMember> members, long began, Duration limit) {
        try {
            Duration left = limit.minusNanos(System.nanoTime() - began);
            Await.until(left, () -> "unequal", () -> equal(members));
            long took = System.nanoTime() - began;
            return took > limit.toNanos() ? -1 : took / 1_000_000;
        } catch (AssertionError e) {
            return -1;
        }
    }

    /**
     * Compares what the members hold with the answers that clients got, and reports what is wrong. It asks one member
     * after the other. Meanwhile they end what a member that died was ending: they have {@link Await#LIMIT} to be
     * equal.
     */
    public static Verdict judge(Trial trial, List<RemoteMember> members, History history, Promise promise) {
        long end = System.nanoTime() + Await.LIMIT.toNanos();
        Map<String, Map<String, Map<String, String>>> held = dumps(members);
        while (!equal(held) && System.nanoTime() < end) {
            held = dumps(members);
        }
        Verdict verdict = history.judge(held, promise);
        verdict.examples().forEach(trial::say);
        return verdict;
    }

    public static boolean equal(List<RemoteMember> members) {
        return equal(dumps(members));
    }

    private static boolean equal(Map<String, Map<String, Map<String, String>>> dumps) {
        return dumps.values().stream().distinct().count() == 1;
    }

    private static Map<String, Map<String, Map<String, String>>> dumps(List<RemoteMember> members) {
        Map<String, Map<String, Map<String, String>>> dumps = new TreeMap<>();
        members.forEach(member -> dumps.put(member.name(), member.dump()));
        return dumps;
    }

    public static Map<String, Long> figures(Verdict verdict) {
        return Map.of(
                "lost", (long) verdict.lostAttributes(),
                "lost_sessions", (long) verdict.lostSessions(),
                "resurrected", (long) verdict.resurrected(),
                "unexplained", (long) verdict.unexplained(),
                "unequal", (long) verdict.unequal(),
                "stale", (long) verdict.staleReads(),
                "lost_unpromised", (long) verdict.lostUnpromised());
    }
}
