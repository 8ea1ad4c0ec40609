package io.understudy.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record on disk that no session has is found. */
@Tag("cluster")
class SpillFiguresTest {

    @TempDir
    Path directory;

    @Test
    void aRecordThatNoSessionHasIsCounted() throws Exception {
        try (Memory memory = new Memory(1 << 20, directory, new ReplicationMetrics())) {
            SpillLocation lost = memory.files().write(new SessionKey(1), new byte[1000]);
            assertEquals(1000, SpillFigures.unowned(memory));
            assertTrue(SpillFigures.paths(memory).contains(lost.segment().path()));
            lost.segment().free(lost);
            assertEquals(0, SpillFigures.unowned(memory));
        }
    }
}
