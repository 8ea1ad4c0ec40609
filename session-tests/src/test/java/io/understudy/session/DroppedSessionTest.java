package io.understudy.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.understudy.config.Setting;
import io.understudy.config.session.Coherence;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import io.understudy.wire.Frame;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions whose container drops its object while a change is under way that no request waits for. */
@Tag("cluster")
class DroppedSessionTest {

    @TempDir
    private Path temporary;

    private final MovedTime time = new MovedTime();
    private Cluster cluster;

    @BeforeEach
    void start() {
        cluster = Cluster.of(
                2,
                Map.of(
                        Setting.COHERENCE, "incoherent",
                        Setting.ACK_TIMEOUT, "500ms",
                        Setting.MAX_MEMORY, "1m",
                        Setting.SPILL_DIRECTORY, temporary.toString()),
                time,
                1);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private Fault acknowledgementsAreLost() {
        return cluster.lose(0, 1, Frame.Acks.class);
    }

    private LiveSession changed(String id, Object value) {
        LiveSession session = cluster.sessions(0).create(id, 1800);
        session.objects().container(new Object());
        SessionRequest.send(session, () -> session.attributes().put("value", value));
        return session;
    }

    @Test
    void anObjectStaysWhileItsChangeIsUnderWay() {
        List<LiveSession> asked = new ArrayList<>();
        cluster.sessions(0).objectsGoBy(asked::add);
        List<LiveSession> others = new ArrayList<>();
        LiveSession session;
        try (Fault lost = acknowledgementsAreLost()) {
            session = changed("a", "b");
            for (int i = 0; i < 200; i++) {
                others.add(changed("s" + i, new byte[8000]));
            }
            time.advance(Duration.ofMillis(10));
            cluster.sessions(0).expirable();
            assertFalse(asked.contains(session), lost + " of " + others.size());
        }
        Await.that("it may go", () -> {
            for (int i = 0; i < 100; i++) {
                others.add(changed("t" + others.size(), new byte[8000]));
            }
            time.advance(Duration.ofMillis(10));
            cluster.sessions(0).expirable();
            return asked.contains(session);
        });
    }

    private WeakReference<LiveSession> dropped() {
        LiveSession session = changed("a", "b");
        session.objects().dropped();
        return new WeakReference<>(session);
    }

    private Outcome showCoherently() {
        LiveSession session = SessionRequest.find(cluster.sessions(0), "a");
        long ticket = session.enter();
        try {
            return session.commit(Coherence.COHERENT).await();
        } finally {
            session.exit(ticket);
        }
    }

    @Test
    void aRequestWaitsForTheChangeOfOneThatWasDropped() {
        WeakReference<LiveSession> session;
        try (Fault lost = acknowledgementsAreLost()) {
            session = dropped();
            System.gc();
            System.gc();
            assertNotEquals(Outcome.UNCHANGED, showCoherently(), lost::toString);
        }
        Await.that("it is collected when the change has arrived", () -> {
            System.gc();
            return session.refersTo(null);
        });
    }
}
