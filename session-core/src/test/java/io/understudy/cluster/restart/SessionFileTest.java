package io.understudy.cluster.restart;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.cluster.restart.SessionFile.Header;
import io.understudy.wire.Frame.Update;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file of sessions leaves when it can't be written. */
@Tag("cluster")
class SessionFileTest {

    private static final Header HEADER = new Header("cluster", "/shop", 1);

    /** As a full disk. */
    private static final Iterator<Update> FAILING = new Iterator<>() {
        @Override
        public boolean hasNext() {
            throw new UncheckedIOException(new IOException("No space left on device"));
        }

        @Override
        public Update next() {
            throw new UnsupportedOperationException();
        }
    };

    @TempDir
    private Path directory;

    @Test
    void aFailedWriteLeavesTheFileBeforeAndNothingElse() throws IOException {
        Path file = directory.resolve("a.sessions");
        assertEquals(0, SessionFile.write(file, HEADER, 1, Collections.emptyIterator()));
        byte[] before = Files.readAllBytes(file);
        assertThrows(UncheckedIOException.class, () -> SessionFile.write(file, HEADER, 1, FAILING));
        assertArrayEquals(before, Files.readAllBytes(file));
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(List.of(file), files.toList());
        }
    }
}
