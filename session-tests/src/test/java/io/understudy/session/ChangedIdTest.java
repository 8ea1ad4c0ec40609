package io.understudy.session;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.understudy.config.Setting;
import io.understudy.session.Commit.Outcome;
import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import io.understudy.testkit.faults.Cluster;
import io.understudy.testkit.faults.Fault;
import io.understudy.wire.Frame.Change;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An id that an attacker planted is worth nothing after a login. */
@Tag("cluster")
@Timeout(300)
class ChangedIdTest {

    @Test
    void aChangeOfTheIdWaitsForAllMembersWhereOneIsEnoughForOtherChanges() throws Exception {
        try (Cluster cluster = Cluster.of(3, Map.of(Setting.ACKS, "one", Setting.ACK_TIMEOUT, "170s"))) {
            put(cluster.sessions(0).create("planted", 1800), "x", 1);
            put(cluster.sessions(0).create("other", 1800), "x", 1);
            cluster.awaitEqual(Await.LIMIT);
            CompletableFuture<Boolean> found;
            try (Fault lost = cluster.lose(2, 0, Change.class)) {
                Commit rename = find(cluster.sessions(0), "planted").rename("login");
                found = Beside.get(() -> {
                    Outcome unused = rename.await();
                    return cluster.sessions(2).contains("planted");
                });
                Await.that("one member has the id", () -> cluster.sessions(1).contains("login"));
                assertEquals(Outcome.PARTLY, put(find(cluster.sessions(0), "other"), "x", 2));
                assert lost != null;
            }
            assertFalse(found.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS));
        }
    }
}
