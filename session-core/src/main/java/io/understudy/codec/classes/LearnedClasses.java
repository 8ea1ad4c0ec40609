package io.understudy.codec.classes;

import io.understudy.threads.DaemonThreads;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Collects, in a file, the classes of what was encoded. It refuses none: what may not be in attributes is not
 * encoded, and so not met. What is decoded teaches nothing: another member chose its class.
 *
 * <p>Threads: any; one of its own writes, when there is something new, and tries again while that fails.
 */
public final class LearnedClasses implements ClassList {

    private static final Logger LOG = System.getLogger(LearnedClasses.class.getName());

    /** How long the end waits for the last writing, in seconds: another JVM may hold the file's lock. */
    private static final Duration LAST_WRITE = Duration.ofSeconds(5);

    private final Path file;
    private final String label;
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    /** Those whose names are collected: of nearly all that is met this is all that is done. */
    private final Set<Class<?>> types = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean news = new AtomicBoolean();
    private final ScheduledExecutorService writer;
    private final Duration lastWrite;

    /** The names that the file has. Only the writer's thread uses it. */
    private @Nullable Set<String> written;

    /** Why the last writing failed. Of the writer's thread. */
    private @Nullable String failure;

    /** @param interval between two writings, and of trying again one that failed */
    public LearnedClasses(Path file, String label, Duration interval) throws IOException {
        this(file, label, interval, LAST_WRITE);
    }

    /** @param lastWrite longest wait of {@link #close} */
    LearnedClasses(Path file, String label, Duration interval, Duration lastWrite) throws IOException {
        this.lastWrite = lastWrite;
        this.file = file;
        this.label = label;
        ClassListFile.check(file);
        news.set(!Files.exists(file));
        writer = Executors.newSingleThreadScheduledExecutor(
                task -> DaemonThreads.of("understudy-" + label + "-classes", task));
        var unused = writer.scheduleWithFixedDelay(
                this::write, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        LOG.log(Level.INFO, "{0} - collects the classes of attributes in {1}", label, file);
    }

    @Override
    public @Nullable String objection(Class<?> type) {
        return null;
    }

    @Override
    public boolean learns() {
        return true;
    }

    @Override
    public void met(Set<Class<?>> met) {
        for (Class<?> type : met) {
            if (types.add(type) && names.addAll(ListedNames.of(type))) {
                news.set(true); // After the name is there: who writes now takes it along.
            }
        }
    }

    private void write() {
        if (!news.getAndSet(false)) {
            return;
        }
        try {
            Set<String> now = new TreeSet<>(names);
            if (!now.equals(written)) { // News may be of a name that the last writing took along.
                ClassListFile.add(file, now);
                written = now;
            }
            failure = null;
        } catch (Throwable e) { // Nobody runs a regular task again that has thrown.
            news.set(true);
            failed(e);
        }
    }

    private void failed(Throwable cause) {
        try {
            String text = cause.toString();
            if (!text.equals(failure)) {
                LOG.log(
                        Level.WARNING,
                        "{0} - could not write {1} classes of attributes to {2}, which ''attributeClasses'' names: "
                                + "{3}; the node retries until the application stops",
                        label,
                        names.size(),
                        file,
                        cause);
                failure = text;
            }
        } catch (Throwable again) {
            failure = null; // There was no memory to report it. The next failure is reported.
        }
    }

    /**
     * Writes what is not written yet, and waits for it, 5 seconds at most. A writing that takes longer goes on, as
     * long as the JVM does: an interrupt would end it, and lose the names.
     */
    @Override
    public void close() {
        if (writer.isShutdown()) {
            return;
        }
        types.clear();
        writer.execute(this::write);
        writer.shutdown();
        try {
            if (writer.awaitTermination(lastWrite.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LOG.log(
                Level.WARNING,
                "{0} - classes of attributes are missing in {1} still: writing the file takes longer than {2} ms, and goes on "
                        + "until the process ends",
                label,
                file,
                String.valueOf(lastWrite.toMillis()));
    }
}
