package io.understudy.benchmarks.memory;

import io.understudy.Understudy;
import io.understudy.session.Commit;
import io.understudy.session.LiveSession;
import io.understudy.session.ReplicatedSessions;
import io.understudy.testkit.SessionRequest;
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

    /** For as long as something goes on, and for {@link #LEAST} at least; how many were beside it. */
    int beside(BooleanSupplier goesOn) {
        int beside = 0;
        long next = System.nanoTime();
        while (millis.size() < MOST) {
            boolean on = goesOn.getAsBoolean();
            if (!on && millis.size() >= LEAST) {
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

    /** @param beside how many of the first count for the times */
    Map<String, Number> figures(int beside) {
        List<Double> sorted =
                millis.subList(0, Math.max(1, beside)).stream().sorted().toList();
        return Map.of(
                "logouts", millis.size(),
                "logouts_not_acknowledged", notAcknowledged,
                "logout_p50_ms", sorted.get(sorted.size() / 2),
                "logout_p99_ms", sorted.get(sorted.size() * 99 / 100));
    }
}
