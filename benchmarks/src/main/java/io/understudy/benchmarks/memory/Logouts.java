package io.understudy.benchmarks.memory;

import io.understudy.Understudy;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.SessionRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Users who log out of one member at a steady pace. Each logout waits until the other members have it. */
final class Logouts {

    /** In most of which something else has to go on beside them. */
    static final int LEAST = 1000;

    private static final int MOST = 50_000;
    private static final int PER_SECOND = 200;

    private final ReplicatedSessions sessions;
    private final List<Double> millis = new ArrayList<>();
    private int before;
    private long notAcknowledged;

    /** Begins the sessions, and makes the member coherent. */
    Logouts(Understudy member, ReplicatedSessions sessions) {
        this.sessions = sessions;
        for (int i = 0; i < MOST; i++) {
            LiveSession session = sessions.create(id(i), 7200);
            SessionRequest.send(session, () -> session.attributes().put("user", "ada"));
        }
        member.setNodeCoherent(true);
    }

    private static String id(int number) {
        return "leaves-" + number;
    }

    /** For so long, while nothing else goes on: the code of a node that has run for a while is compiled. */
    void alone(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        int unused = beside(() -> System.nanoTime() < end);
        before = millis.size();
    }

    /** For as long as something goes on, and for {@link #LEAST} at least; how many were beside it. */
    int beside(BooleanSupplier goesOn) {
        int beside = 0;
        long next = System.nanoTime();
        int first = millis.size();
        while (millis.size() < MOST) {
            boolean on = goesOn.getAsBoolean();
            if (!on && millis.size() - first >= LEAST) {
                break;
            }
            beside += on ? 1 : 0;
            LiveSession session = SessionRequest.find(sessions, id(millis.size()));
            long began = System.nanoTime();
            Commit.Outcome outcome = session.beginEnd() ? session.invalidate().await() : Commit.Outcome.DEGRADED;
            millis.add((System.nanoTime() - began) / 1e6);
            notAcknowledged += outcome == Commit.Outcome.ACKNOWLEDGED ? 0 : 1;
            next += TimeUnit.SECONDS.toNanos(1) / PER_SECOND;
            LockSupport.parkNanos(next - System.nanoTime());
        }
        return beside;
    }

    /** @param beside how many of those after the ones {@linkplain #alone alone} were beside something */
    Map<String, Number> figures(int beside) {
        List<Double> calm = millis.subList(before / 2, before);
        List<Double> disturbed = millis.subList(before, Math.max(before + 1, before + beside));
        return Map.of(
                "logouts", millis.size(),
                "logouts_not_acknowledged", notAcknowledged,
                "logout_alone_p99_ms", quantile(calm, 99),
                "logout_p50_ms", quantile(disturbed, 50),
                "logout_p99_ms", quantile(disturbed, 99));
    }

    private static double quantile(List<Double> some, int percent) {
        List<Double> sorted = some.stream().sorted().toList();
        return sorted.get(sorted.size() * percent / 100);
    }
}
