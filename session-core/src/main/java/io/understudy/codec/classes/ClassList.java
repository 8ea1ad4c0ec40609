package io.understudy.codec.classes;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Classes, by name, that an application needs in its attributes: collected in a file, or read from one and enforced.
 *
 * <p>Threads: any.
 */
public sealed interface ClassList extends AutoCloseable permits AnyClass, EnforcedClasses, LearnedClasses {

    /** How soon a class that is met for the first time is in the file. */
    Duration WRITE_AFTER = Duration.ofSeconds(1);

    /** No list: the rules of {@link ClassFilter} are all there is. */
    static ClassList any() {
        return new AnyClass();
    }

    /**
     * Collects the classes of what is encoded, beside those that are in the file.
     *
     * @param label of the application and node, for logs and the thread that writes
     * @throws IOException if the file is there but is no list, or can't be written; the message has what was expected
     */
    static ClassList learn(Path file, String label) throws IOException {
        return new LearnedClasses(file, label, WRITE_AFTER);
    }

    /**
     * Refuses all classes that are not in the file, which is read once.
     *
     * @throws IOException if there is no such file, or it is no list; the message has the line, and what was expected
     */
    static ClassList enforce(Path file) throws IOException {
        return new EnforcedClasses(file, ClassListFile.read(file));
    }

    /** Why an attribute may not hold objects of this class, which is no array; {@code null} if it may. */
    @Nullable
    String objection(Class<?> type);

    /** Whether {@link #met} wants to know of classes. */
    default boolean learns() {
        return false;
    }

    /** An attribute that holds objects of these classes was encoded. */
    default void met(Set<Class<?>> types) {}

    /** Lets go of the application's classes, and writes what is not yet written: 5 seconds at most. */
    @Override
    default void close() {}
}
