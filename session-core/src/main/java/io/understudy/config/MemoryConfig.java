package io.understudy.config;

import io.understudy.config.session.EmptySessions;
import java.nio.file.Path;
import java.util.Map;

/**
 * How much a node holds, and where. Each component is described by its {@link Setting}.
 *
 * @param maxBytes of heap, for all applications of the node
 * @param maxSessionBytes of the values of one session's attributes together
 * @param spillDirectory below which a node that needs it makes a directory of its own
 * @param emptySessions how the other nodes learn of sessions without attributes
 */
public record MemoryConfig(long maxBytes, int maxSessionBytes, Path spillDirectory, EmptySessions emptySessions) {

    /** The least {@code maxMemory}, in bytes: about 2,000 sessions without their attributes. */
    private static final long LEAST = 1 << 20;

    /** The smallest {@code maxSessionBytes}, and the largest: sessions have to be read back into memory whole. */
    private static final int MIN_SESSION_BYTES = 1024;

    private static final int MAX_SESSION_BYTES = 256 << 20;

    static MemoryConfig read(SettingReader read) {
        return new MemoryConfig(
                read.heap(Setting.MAX_MEMORY, LEAST),
                read.number(Setting.MAX_SESSION_BYTES, MIN_SESSION_BYTES, MAX_SESSION_BYTES),
                directory(read),
                read.choice(Setting.EMPTY_SESSIONS, EmptySessions.class));
    }

    /** What {@link #read} reads. */
    Map<Setting, String> asText() {
        return Map.of(
                Setting.MAX_MEMORY, String.valueOf(maxBytes),
                Setting.MAX_SESSION_BYTES, String.valueOf(maxSessionBytes),
                Setting.SPILL_DIRECTORY, spillDirectory.toString(),
                Setting.EMPTY_SESSIONS, emptySessions.name());
    }

    private static Path directory(SettingReader read) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"), "understudy-" + System.getProperty("user.name"));
        String text = read.path(Setting.SPILL_DIRECTORY, temporary.toString());
        return text.isEmpty() ? temporary : Path.of(text);
    }
}
