package io.understudy.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory of this node's own below the one that is configured, and readable by nobody else (0700, files 0600). A lock
 * shows that its process lives: those of processes that died are deleted by the next node that starts. Where the lock file was
 * deleted, by a job that cleans up, the name shows it: {@code node-} and the process's number and start.
 *
 * <p>Threads: any.
 */
final class SpillDirectory implements AutoCloseable {

    private static final String PREFIX = "node-";
    private static final String LOCK = "lock";

    /** Guards what other processes are kept from by the lock of the configured directory. */
    private static final ReentrantLock THIS_JVM = new ReentrantLock();

    /** Two containers' processes may have one number. */
    private static final String OWN_PREFIX = PREFIX + ProcessHandle.current().pid() + "-"
            + ManagementFactory.getRuntimeMXBean().getStartTime() + "-";

    private static final Pattern OF_PROCESS = Pattern.compile(PREFIX + "([0-9]{1,18})-[0-9]+-.*");

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private final Path base;
    private final Path own;

    @GuardedBy("THIS_JVM")
    private FileChannel lock;

    /** Which file the lock is, where the system tells: another one of the same name may have come since. */
    @GuardedBy("THIS_JVM")
    private @Nullable Object locked;

    private final AtomicInteger files = new AtomicInteger();

    private SpillDirectory(Path base, Path own, FileChannel lock) throws IOException {
        this.base = base;
        this.own = own;
        this.lock = lock;
        this.locked = file(own.resolve(LOCK));
    }

    /**
     * Makes it.
     *
     * @throws IOException if it can't be made, or other users can write to the configured one
     */
    static SpillDirectory in(Path base) throws IOException {
        THIS_JVM.lock();
        try {
            Files.createDirectories(base, mode("rwx------"));
            if (POSIX) {
                Set<PosixFilePermission> open = Files.getPosixFilePermissions(base, LinkOption.NOFOLLOW_LINKS);
                open.retainAll(EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
                if (!open.isEmpty()) {
                    throw new IOException("other users can write to " + base
                            + ": set 'spillDirectory' to a directory that only " + "this user can write to");
                }
            }
            try (FileChannel all = openLock(base)) {
                lock(all, base);
                Path own = Files.createTempDirectory(base, OWN_PREFIX, mode("rwx------"));
                try {
                    return locked(base, own);
                } catch (IOException | RuntimeException | Error e) {
                    delete(own); // Else each attempt would leave one.
                    throw e;
                }
            }
        } finally {
            THIS_JVM.unlock();
        }
    }

    @GuardedBy("THIS_JVM")
    private static SpillDirectory locked(Path base, Path own) throws IOException {
        if (!Files.getOwner(own).equals(Files.getOwner(base))) {
            throw new IOException(base + " belongs to " + Files.getOwner(base)
                    + ": set 'spillDirectory' to a directory that this user owns");
        }
        FileChannel lock = openLock(own);
        try {
            lock.lock();
            return new SpillDirectory(base, own, lock);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    private static void lock(FileChannel all, Path base) throws IOException {
        try {
            all.lock();
        } catch (OverlappingFileLockException e) {
            throw new IOException("another copy of this library in this process uses " + base + " at the moment", e);
        }
    }

    /** Deletes what processes left that did not come to their ends. */
    static void clean(Path base) throws IOException {
        if (!Files.isDirectory(base, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        THIS_JVM.lock();
        try (FileChannel all = openLock(base);
                DirectoryStream<Path> nodes = Files.newDirectoryStream(base, PREFIX + "*")) {
            lock(all, base);
            for (Path node : nodes) {
                if (abandoned(node)) {
                    delete(node);
                }
            }
        } finally {
            THIS_JVM.unlock();
        }
    }

    private static boolean abandoned(Path node) throws IOException {
        String name = node.getFileName().toString();
        if (name.startsWith(OWN_PREFIX)) {
            return false; // Its lock stays unopened: whoever closes a file gives up all locks its process has on it.
        }
        try (FileChannel channel = FileChannel.open(node.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (NoSuchFileException e) {
            return !ofLivingProcess(name);
        }
    }

    private static boolean ofLivingProcess(String name) {
        Matcher process = OF_PROCESS.matcher(name);
        if (!process.matches()) {
            return false;
        }
        long pid = Long.parseLong(process.group(1));
        return pid != ProcessHandle.current().pid() && ProcessHandle.of(pid).isPresent();
    }

    private static FileChannel openLock(Path directory) throws IOException {
        return FileChannel.open(
                directory.resolve(LOCK),
                EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                mode("rw-------"));
    }

    private static @Nullable Object file(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    /** A new, empty file. */
    Path newFile() throws IOException {
        return Files.createFile(own.resolve("segment-" + files.getAndIncrement()), mode("rw-------"));
    }

    /** Itself and its lock. */
    Stream<Path> paths() {
        return Stream.of(own, own.resolve(LOCK));
    }

    boolean isThere() {
        return Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Shows that its process lives: to jobs that delete old files by the time of the lock file, to other nodes by the lock,
     * which is made again if its file was deleted.
     *
     * @throws IOException if it can't be shown; most likely the directory was deleted
     */
    void keep() throws IOException {
        THIS_JVM.lock();
        try {
            Path path = own.resolve(LOCK);
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) || !Objects.equals(file(path), locked)) {
                lockAgain(path);
            }
            Files.setLastModifiedTime(path, FileTime.from(Instant.now()));
        } finally {
            THIS_JVM.unlock();
        }
    }

    @GuardedBy("THIS_JVM")
    private void lockAgain(Path path) throws IOException {
        try (FileChannel all = openLock(base);
                FileLock held = all.tryLock()) {
            if (held == null) {
                return; // Another process makes or cleans directories: next time.
            }
            FileChannel made = openLock(own);
            try {
                made.lock();
            } catch (IOException | RuntimeException | Error e) {
                made.close();
                throw e;
            }
            lock.close();
            lock = made;
            locked = file(path);
        } catch (OverlappingFileLockException e) {
            throw new IOException(path + " can't be locked by this process again", e);
        }
    }

    private static FileAttribute<?>[] mode(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            return; // Somebody has deleted it.
        }
        Files.deleteIfExists(directory);
    }

    /** Deletes it. */
    @Override
    public void close() throws IOException {
        THIS_JVM.lock();
        try {
            lock.close();
            delete(own);
        } finally {
            THIS_JVM.unlock();
        }
    }
}
