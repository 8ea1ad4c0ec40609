package io.understudy.benchmarks.memory;

import io.understudy.benchmarks.figures.Figures;
import io.understudy.benchmarks.trial.Trial;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.member.Ended;
import io.understudy.testkit.member.RemoteCluster;
import io.understudy.testkit.member.RemoteMember;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Crawlers that drop their cookies, through round robin: each request makes a session without attributes on the next of
 * three members. Now and then one is a visitor after all, and logs in through another member than the one that made the
 * session. First with heaps that hold all of them, then with heaps that hold a small part.
 */
public final class Crawlers {

    private static final int MEMBERS = 3;
    private static final int IDLE_SECONDS = 7200;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** What a session without attributes may take beside its values, which it has none of. */
    private static final int BYTES_PER_SESSION = 400;

    /**
     * How far above its bound a member may be, in seconds of new sessions: they come while the oldest are being
     * ended.
     */
    private static final long EXCESS_SECONDS = 3;

    private static final int ROOMY_PER_SECOND = 1300;
    private static final int TIGHT_PER_SECOND = 700;

    /** Of a node's heap, in bytes, that is no session's, and not there yet when the heap is looked at first. */
    private static final double OTHER_BYTES = 4e6;

    /** After this part of the sessions the heap is looked at first. */
    private static final int WARM_PART = 10;

    /** How long nothing may happen until all is told: two intervals of the members'. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    private final List<RemoteMember> members;
    private final List<String> visitors = new ArrayList<>();
    private final Map<String, Number> figures = new HashMap<>();
    private long refused;
    private long lastTold = -1;
    private long quietSince;

    private Crawlers(List<RemoteMember> members) {
        this.members = members;
    }

    public static void run(Trial trial) throws Exception {
        int sessions = trial.whole() ? 1_000_000 : 50_000;
        Figures roomy = trial.round(
                "room for all",
                () -> round(trial, sessions, ROOMY_PER_SECOND, trial.whole() ? 1200 : 192, "-XX:MarkSweepDeadRatio=0"));
        trial.demand(
                "room for all: each member holds all " + sessions + " sessions",
                roomy.get("least") + " to " + roomy.get("most"),
                roomy.get("least") == sessions && roomy.get("most") == sessions);
        trial.demand(
                "at most one announcement for each interval of 1 s and member",
                roomy.get("announcements") + " in " + roomy.get("seconds") + " s by the one that sent most",
                roomy.get("announcements") > 0 && roomy.get("announcements") <= roomy.get("seconds") + 1);
        trial.floor(
                "a session takes at most " + BYTES_PER_SESSION + " bytes of heap, beside 4 MB for all",
                String.format(Locale.ROOT, "%.0f bytes", roomy.get("heap_per_session")),
                roomy.get("heap_per_session") - OTHER_BYTES / sessions <= BYTES_PER_SESSION);
        visitors(trial, "room for all", roomy);
        Figures tight = trial.round(
                "little room",
                () -> round(trial, sessions, TIGHT_PER_SECOND, trial.whole() ? 128 : 32, "-XX:MarkSweepDeadRatio=5"));
        trial.floor(
                "little room: no member goes beyond maxMemory by more than what comes in " + EXCESS_SECONDS
                        + " s, and none ends",
                String.format(
                        Locale.ROOT,
                        "%.1f of %.1f MB at most; the fullest heap was %.1f MB after a collection",
                        tight.get("peak_bytes") / 1e6,
                        tight.get("bound") / 1e6,
                        tight.get("heap_peak") / 1e6),
                tight.get("peak_bytes") - tight.get("bound")
                        <= EXCESS_SECONDS * TIGHT_PER_SECOND * MEMBERS * BYTES_PER_SESSION);
        trial.demand(
                "what had to go was ended, each told once to listeners",
                tight.get("ended") + " ended early, " + tight.get("told") + " told, " + tight.get("told_twice")
                        + " twice",
                tight.get("ended") > 0 && tight.get("told") == tight.get("ended") && tight.get("told_twice") == 0);
        visitors(trial, "little room", tight);
    }

    private static void visitors(Trial trial, String name, Figures figures) {
        trial.demand(
                name + ": who logs in through another member has one session, on all members",
                figures.get("visitors") + " did, " + figures.get("refused") + " were not found, " + figures.get("wrong")
                        + " reads saw something else, " + figures.get("united") + " sessions had one id; "
                        + figures.get("unanswered") + " questions were not answered in time",
                figures.get("visitors") > 0
                        && figures.get("refused") + figures.get("wrong") + figures.get("united") == 0);
    }

    /**
     * @param deadRatio the collector leaves up to 5 percent of the old generation to what is dead in three
     *     collections of four, and counts it as used: not where a session's heap is measured
     */
    private static Figures round(Trial trial, int sessions, int perSecondAndMember, int megabytes, String deadRatio)
            throws Exception {
        Path directory = trial.results().resolve("crawlers");
        List<String> options =
                List.of("-Xmx" + megabytes + "m", "-XX:+UseSerialGC", deadRatio, "-XX:+ExitOnOutOfMemoryError");
        Map<String, String> settings = Map.of("coherence", "incoherent");
        try (RemoteCluster cluster = RemoteCluster.of(
                        MEMBERS, (network, index) -> new RemoteMember(network, index, directory, settings, options))
                .start()) {
            return new Crawlers(cluster.members()).crawl(sessions, perSecondAndMember);
        }
    }

    private Figures crawl(int sessions, int perSecondAndMember) throws InterruptedException {
        long heap = 0;
        int warm = 0;
        long began = System.nanoTime();
        int made = 0;
        for (int second = 1; made < sessions; second++) {
            int from = made;
            int share = Math.min(perSecondAndMember, (sessions - made) / MEMBERS);
            int rest = share < perSecondAndMember ? sessions - made - share * MEMBERS : 0;
            CompletableFuture<?>[] fills = new CompletableFuture<?>[MEMBERS];
            for (int i = 0; i < MEMBERS; i++) {
                RemoteMember member = members.get(i);
                int first = from + i * share;
                int last = first + share + (i == MEMBERS - 1 ? rest : 0);
                fills[i] = Beside.run(() -> member.fill(first, last, IDLE_SECONDS, 0, 1));
            }
            CompletableFuture.allOf(fills).join();
            made += share * MEMBERS + rest;
            visit(made - 1, MEMBERS - 1);
            visit(from, 0);
            most("peak_bytes", "replica_bytes");
            if (warm == 0 && made >= sessions / WARM_PART) { // What is loaded and compiled at first is no session's.
                warm = made;
                heap = heapInUse();
            }
            // Clients come at their own pace.
            long ahead = began + second * 1_000_000_000L - System.nanoTime();
            Thread.sleep(Math.max(0, ahead / 1_000_000));
        }
        heapInUse(); // What is no longer referred to is taken out of maps while it settles.
        Await.until(LIMIT, () -> "not all told: " + figures("sessions_unsent"), this::settled);
        figures.put("seconds", (System.nanoTime() - began) / 1_000_000_000);
        figures.put("heap_per_session", (double) (heapInUse() - heap) / (made - warm));
        most("bound", "replica_bytes_bound");
        most("announcements", "announcements_sent");
        most("most", "sessions");
        figures.put(
                "least",
                members.stream()
                        .mapToLong(member -> member.figures().get("sessions"))
                        .min()
                        .orElse(0));
        figures.put("united", sum("sessions_united"));
        figures.put("unanswered", sum("questions_unanswered"));
        figures.put("ended", sum("sessions_ended_for_room"));
        checkVisitors();
        checkEnds();
        return Figures.of(figures);
    }

    /** Nothing waits to be sent, and what is on a member alone stays there. */
    private boolean settled() {
        long now = System.nanoTime();
        long told = sum("announcements_sent") + sum("sessions_ended_for_room");
        if (told != lastTold || sum("sessions_unsent") > 0) {
            lastTold = told;
            quietSince = now;
        }
        return now - quietSince >= QUIET.toNanos();
    }

    /** A client that made a session on one member comes back by way of the next, with its first attribute. */
    private void visit(int number, int maker) {
        String id = RemoteMember.filled(number);
        RemoteMember next = members.get((maker + 1) % MEMBERS);
        switch (next.write(id, Map.of("user", "u" + number))) {
            case SENT, ACKNOWLEDGED -> visitors.add(id + "=u" + number);
            default -> refused++;
        }
    }

    private void checkVisitors() {
        long wrong = 0;
        for (String visitor : visitors) {
            String[] idAndUser = visitor.split("=", 2);
            for (RemoteMember member : members) {
                String user = member.read(idAndUser[0]).pairs().get("user");
                wrong += idAndUser[1].equals(user) ? 0 : 1;
            }
        }
        figures.put("visitors", visitors.size());
        figures.put("refused", refused);
        figures.put("wrong", wrong);
    }

    private void checkEnds() {
        Set<String> keys = new HashSet<>();
        long told = 0;
        for (RemoteMember member : members) {
            for (Ended ended : member.ended()) {
                told++;
                keys.add(ended.key());
            }
        }
        figures.put("told", told);
        figures.put("told_twice", told - keys.size());
    }

    private List<Long> figures(String name) {
        return RemoteMember.figures(members, name);
    }

    private long sum(String name) {
        return figures(name).stream().mapToLong(Long::longValue).sum();
    }

    private void most(String figure, String name) {
        double now = figures(name).stream().mapToLong(Long::longValue).max().orElse(0);
        figures.merge(figure, now, (a, b) -> Math.max(a.doubleValue(), b.doubleValue()));
    }

    /** Of the member that uses most, after a collection. */
    private long heapInUse() {
        long most = 0;
        for (RemoteMember member : members) {
            most = Math.max(most, member.heap().used());
        }
        figures.merge("heap_peak", most, (a, b) -> Math.max(a.doubleValue(), b.doubleValue()));
        return most;
    }
}
