package io.understudy.store;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What a node has on disk, for the test kit. */
public final class SpillFigures {

    private SpillFigures() {}

    /** The files and directories that the node knows of. */
    public static Set<Path> paths(Memory memory) {
        return new HashSet<>(memory.files().paths());
    }

    /** Bytes of records in the node's files that count as needed, and belong to no session. Looks at all of them. */
    public static long unowned(Memory memory) {
        return memory.files().segments().stream()
                .mapToLong(segment -> segment.live() - owned(memory, segment))
                .sum();
    }

    private static long owned(Memory memory, SpillSegment segment) {
        List<Replicas> owners = memory.owners();
        return segment.keys().stream()
                .distinct()
                .flatMap(key -> owners.stream().map(owner -> owner.quietly(key)))
                .filter(Objects::nonNull)
                .map(StoredReplica::spot)
                .filter(Objects::nonNull)
                .filter(spot -> spot.segment() == segment)
                .mapToLong(SpillLocation::length)
                .sum();
    }
}
