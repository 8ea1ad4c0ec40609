package io.understudy.testkit.faultsweep;

import io.understudy.NodeFigures;
import io.understudy.Understudy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a node may hold only while it handles something, and what it may never hold: files that it does not know of, and
 * credits of the flow control that its members lack for good. Threads: any.
 */
public final class Leftovers {

    private static final List<String> FIGURES = List.of(
            "requests_in_flight",
            "requests_waiting",
            "locks_held",
            "locks_waiting",
            "locks_at_home",
            "changes_at_risk",
            "sessions_at_risk",
            "sessions_unsent",
            "ends_claimed",
            "ends_promised",
            "ends_at_risk");

    private static final String LOCK = "lock";
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private Leftovers() {}

    /** The figures of a node that are not 0, by name; empty if nothing is left. */
    public static Map<String, Long> of(Understudy node) {
        Map<String, Long> figures = NodeFigures.momentary(node);
        Map<String, Long> left = new TreeMap<>();
        for (String name : FIGURES) {
            long figure = Objects.requireNonNull(figures.get(name), name);
            if (figure != 0) {
                left.put(name, figure);
            }
        }
        long unowned = NodeFigures.spilledUnowned(node);
        if (unowned != 0) {
            left.put("spilled_bytes_unowned", unowned);
        }
        return left;
    }

    /** Files and directories below this one, also deleted ones that are open yet, that none of these nodes knows of. */
    public static Set<String> files(Path spillDirectory, Collection<Understudy> nodes) {
        Set<String> left = new TreeSet<>(open(spillDirectory));
        try (Stream<Path> paths = Files.walk(spillDirectory)) {
            paths.map(Path::toString).forEach(left::add);
        } catch (IOException | UncheckedIOException e) {
            left.add(e.toString()); // A node deletes them at the moment.
        }
        left.remove(spillDirectory.toString());
        left.remove(spillDirectory.resolve(LOCK).toString());
        nodes.forEach(node -> NodeFigures.spillPaths(node).forEach(path -> left.remove(path.toString())));
        return left;
    }

    /** Only Linux shows them. */
    private static Set<String> open(Path directory) {
        Set<String> open = new TreeSet<>();
        if (!Files.isDirectory(DESCRIPTORS)) {
            return open;
        }
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : descriptors) {
                if (Files.isSymbolicLink(descriptor)) {
                    open.add(Files.readSymbolicLink(descriptor).toString());
                }
            }
        } catch (NoSuchFileException e) { // It was closed meanwhile.
            return open(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.removeIf(path -> !path.startsWith(directory.toString()));
        return open;
    }
}
