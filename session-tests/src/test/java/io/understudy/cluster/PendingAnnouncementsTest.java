package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.config.Setting;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.LoopbackCluster;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions that are announced together. */
@Tag("cluster")
@Timeout(300)
class PendingAnnouncementsTest {

    private static final int SESSIONS = 20_000;

    /** Or it would be ended to make room, by nobody's leave, while the others hear of it. */
    @Test
    void whatIsBeingAnnouncedIsNeverTakenForUntold() {
        Map<Setting, String> settings = Map.of(Setting.TOUCH_INTERVAL, "1h");
        try (ClusterChannel channel =
                ClusterChannels.connect(LoopbackCluster.configs(1, settings).get(0))) {
            ApplicationGroup group = channel.join("/shop");
            Await.until(Await.LIMIT, group::waitingFor, group::ready);
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> announcing = Beside.run(() -> {
                while (!over.get()) {
                    group.sendNoted();
                }
            });
            for (int i = 0; i < SESSIONS; i++) {
                SessionKey key = new SessionKey(i + 1);
                group.store().create(SessionDelta.created(key, new Stamp(5, 99), "s" + i, 1800));
                group.keep(SessionDelta.empty(key), true);
                while (group.store().header(key).unshared()) {
                    assertFalse(group.unshared(key));
                }
            }
            over.set(true);
            announcing.join();
        }
    }
}
