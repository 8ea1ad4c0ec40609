package io.understudy.session;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.config.Setting;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import io.understudy.store.StoredReplica;
import io.understudy.testkit.Await;
import io.understudy.testkit.MovedTime;
import io.understudy.testkit.faults.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The news of a use elsewhere comes between finding that a session is overdue and claiming its end. */
@Tag("cluster")
@Timeout(300)
class UseDuringExpiryTest {

    private static final Duration LIMIT = Await.LIMIT;
    private static final int IDLE_SECONDS = 60;

    private final MovedTime moved = new MovedTime();
    private final Thread scanning = Thread.currentThread();

    /** Which look at the time by {@link #scanning} from now on is the one just before the news comes; 0 is none. */
    private int looks;

    private final TimeSource time = new TimeSource() {
        @Override
        public long wallMillis() {
            return moved.wallMillis();
        }

        @Override
        public long monotonicMillis() {
            long now = moved.monotonicMillis();
            if (Thread.currentThread() == scanning && looks > 0 && --looks == 0) {
                useElsewhere();
            }
            return now;
        }
    };

    private final Cluster cluster = Cluster.of(2, Map.of(Setting.TOUCH_INTERVAL, "100ms"), time, 1);
    private final LiveSession here = cluster.sessions(0).create("s", IDLE_SECONDS);
    private boolean used;

    @BeforeEach
    void overdue() {
        put(here, "used", 1);
        cluster.awaitEqual(LIMIT);
        moved.advance(Duration.ofSeconds(IDLE_SECONDS + 10));
        assertTrue(here.overdue());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private @Nullable Stamp lastUse(SessionKey key) {
        StoredReplica stored = cluster.sessions(0).services().replicas().header(key);
        return stored == null ? null : stored.replica().lastUse();
    }

    private void useElsewhere() {
        Stamp before = lastUse(here.key());
        put(find(cluster.sessions(1), "s"), "used", 2);
        Await.until(
                LIMIT, () -> "not heard of", () -> !String.valueOf(before).equals(String.valueOf(lastUse(here.key()))));
        used = true;
    }

    @Test
    void keepsItFromTheScan() {
        looks = 2; // The first one is for all sessions.
        assertEquals(List.of(), cluster.sessions(0).expirable());
        assertTrue(used && here.valid());
    }

    @Test
    void keepsItFromTheRequestThatFoundItOverdue() {
        looks = 1;
        assertFalse(here.beginExpiry());
        assertTrue(used && here.valid());
    }
}
