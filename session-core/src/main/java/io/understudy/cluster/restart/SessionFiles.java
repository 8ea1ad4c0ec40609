package io.understudy.cluster.restart;

import io.understudy.cluster.membership.ApplicationNumber;
import io.understudy.cluster.restart.SessionFile.Header;
import io.understudy.config.ConfigException;
import io.understudy.config.Retention;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Toggle;
import io.understudy.replica.TimeSource;
import io.understudy.wire.Frame.Update;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of this node's applications in files, where {@code keepSessions} is on.
 *
 * <p>A file is used once: it is deleted before any of its sessions is served, as they go on then and it would bring back
 * what ended. One that can't be used, or is older than {@code tombstoneHorizon}, beyond which nobody may remember what ended
 * since, is kept aside and named. No file stops a start, and no failure a stop.
 *
 * <p>Threads: any, one at a time for an application.
 */
public final class SessionFiles {

    private static final Logger LOG = System.getLogger(SessionFiles.class.getName());

    private final UnderstudyConfig config;
    private final Retention retention;
    private final TimeSource time;

    public SessionFiles(UnderstudyConfig config, TimeSource time) {
        this.config = config;
        this.retention = config.retention();
        this.time = time;
    }

    /** @throws ConfigException if this process can't write to the directory for sessions */
    public static void requireDirectory(UnderstudyConfig config) {
        String directory = config.retention().keepDirectory();
        if (config.retention().keepSessions() == Toggle.OFF) {
            return;
        }
        try {
            Path path = Path.of(directory);
            make(path);
            Files.delete(Files.createTempFile(path, "writable-", ".tmp"));
        } catch (IOException | InvalidPathException e) {
            throw new ConfigException("setting 'keepDirectory' is '" + directory + "', where this process can't write "
                    + "files (" + e + "): create a directory that its user owns, such as "
                    + "'install -d -o tomcat -m 700 /var/lib/understudy'");
        }
    }

    /** Also if it is a link to a directory, which JDK 17 refuses to create. */
    private static void make(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
        }
    }

    public boolean on() {
        return retention.keepSessions() == Toggle.ON;
    }

    /** The file of an application; {@code null} without a directory. The cluster's name is in it only for people. */
    private @Nullable Path file(String application) {
        if (retention.keepDirectory().isEmpty()) {
            return null;
        }
        String cluster = config.clusterName();
        String number = HexFormat.of().toHexDigits(ApplicationNumber.of(cluster + "\n" + application));
        return Path.of(
                retention.keepDirectory(), cluster.replaceAll("[^A-Za-z0-9._-]", "_") + "-" + number + ".sessions");
    }

    /** Whether there is a file to restore the application's sessions from: checked, and not too old. */
    boolean restorable(String application) {
        Path file = file(application);
        if (file == null || !Files.exists(file)) {
            return false;
        }
        try {
            if (!on()) {
                return aside(file, "'keepSessions' is off, so other nodes may start without these sessions");
            }
            Header header = SessionFile.check(file);
            long horizon = config.tombstoneHorizon().toMillis();
            if (!header.cluster().equals(config.clusterName())
                    || !header.application().equals(application)) {
                return aside(
                        file,
                        "it should be of application " + application + " in cluster " + config.clusterName()
                                + ", but is of " + header.application() + " in " + header.cluster());
            }
            if (time.wallMillis() - header.writtenAtMillis() > horizon) {
                return aside(
                        file,
                        "it was written more than 'tombstoneHorizon' (" + horizon + " ms) ago, by the clock here; what "
                                + "ended since may be forgotten");
            }
            return true;
        } catch (UnusableFileException e) {
            return aside(file, e.getMessage());
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} - {1} can''t be read: {2}; no session is restored", node(application), file, e);
            return false;
        }
    }

    /** @return false */
    private boolean aside(Path file, @Nullable String why) {
        Path aside = unused(file);
        LOG.log(
                Level.WARNING,
                "{0} - the sessions in {1} are not restored: {2}. The file is renamed to {3}; delete it when you do "
                        + "not need it",
                config.nodeName(),
                file,
                why,
                aside);
        try {
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} - the file could not be renamed: {1}", config.nodeName(), e);
        }
        return false;
    }

    /**
     * Reads the application's file and deletes it, or keeps it aside if it could not be read wholly.
     *
     * @param sessions takes each session, older by the time that this node was down: as long as the machine's clock says,
     *     0 to {@code tombstoneHorizon}
     * @param unreadable gets the number of each record that can't be read, and why
     * @return that time in milliseconds; -1 if there was nothing to restore
     */
    long restore(String application, Consumer<Update> sessions, BiConsumer<Long, String> unreadable) {
        Path file = file(application);
        if (file == null || !restorable(application)) {
            return -1;
        }
        try {
            long written = SessionFile.check(file).writtenAtMillis();
            long down = Math.min(
                    Math.max(0, time.wallMillis() - written),
                    config.tombstoneHorizon().toMillis());
            long[] count = new long[2];
            SessionFile.read(
                    file,
                    update -> {
                        sessions.accept(
                                new Update(update.ageMillis() + down, update.idleMillis() + down, update.delta()));
                        count[0]++;
                    },
                    (number, why) -> {
                        unreadable.accept(number, why);
                        count[1]++;
                    });
            if (count[1] == 0) {
                Files.delete(file);
            } else {
                keepAside(file, count[1]);
            }
            LOG.log(
                    Level.INFO,
                    "{0} - {1} sessions and tombstones restored from {2}, written {3} ms ago",
                    node(application),
                    count[0],
                    file,
                    down);
            return down;
        } catch (IOException e) {
            LOG.log(
                    Level.WARNING,
                    "{0} - could not restore all sessions of {1} and delete the file: {2}",
                    node(application),
                    file,
                    e);
            aside(file, "the next start would restore it a second time");
            return -1;
        }
    }

    /** All that could be read of it is used. */
    private void keepAside(Path file, long unread) throws IOException {
        Path aside = unused(file);
        Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
        LOG.log(
                Level.WARNING,
                "{0} - {1} records of {2} could not be read; the file is renamed to {3}; delete it when you do not "
                        + "need it",
                config.nodeName(),
                unread,
                file,
                aside);
    }

    private static Path unused(Path file) {
        return file.resolveSibling(file.getFileName() + ".unused");
    }

    /** Writes the application's file; whether that was possible. */
    boolean keep(String application, Iterator<Update> sessions) {
        Path file = file(application);
        if (file == null) {
            return false;
        }
        try {
            Path directory = file.getParent();
            if (directory != null) {
                make(directory);
            }
            Header header = new Header(config.clusterName(), application, time.wallMillis());
            long count = SessionFile.write(file, header, ApplicationNumber.of(application), sessions);
            LOG.log(Level.INFO, "{0} - {1} sessions and tombstones kept in {2}", node(application), count, file);
            return true;
        } catch (IOException e) {
            LOG.log(
                    Level.ERROR,
                    "{0} - the sessions are lost, because they could not be written to {1}: {2}; make sure that "
                            + "this process can write to ''keepDirectory'' and that its disk has room",
                    node(application),
                    file,
                    e);
            return false;
        }
    }

    private String node(String application) {
        return application + "@" + config.nodeName();
    }
}
