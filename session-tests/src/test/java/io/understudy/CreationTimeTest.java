package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.session.LiveSession;
import io.understudy.testkit.faults.Cluster;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("cluster")
class CreationTimeTest {

    /** What an application compares with its own look at the clock. */
    @Test
    void aSessionIsNotOlderThanTheRequestThatBeginsIt() {
        try (Cluster cluster = Cluster.of(1, Map.of())) {
            for (int i = 0; i < 5000; i++) {
                long before = System.currentTimeMillis();
                long created = cluster.sessions(0).create("s" + i, 1800).creationMillis();
                long late = created - System.currentTimeMillis();
                assertTrue(created >= before && late <= 0, () -> (created - before) + " ms after, " + late);
            }
        }
    }

    @Test
    void aSessionThatBeginsWasLastUsedThen() {
        try (Cluster cluster = Cluster.of(1, Map.of())) {
            for (int i = 0; i < 5000; i++) {
                LiveSession session = cluster.sessions(0).create("s" + i, 1800);
                assertEquals(session.creationMillis(), session.lastUseMillis());
            }
        }
    }
}
