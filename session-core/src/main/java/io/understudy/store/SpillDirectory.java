package io.understudy.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A directory of this node's own below the one that is configured, and readable by nobody else (0700, files 0600). A lock
 * shows that its process lives: those of processes that died are deleted by the next node that starts.
 *
 * <p>Threads: any.
 */
final class SpillDirectory implements AutoCloseable {

    private static final String PREFIX = "node-";
    private static final String LOCK = "lock";
    private static final Object THIS_JVM = new Object();
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private final Path own;
    private final FileChannel lock;
    private int files;

    private SpillDirectory(Path own, FileChannel lock) {
        this.own = own;
        this.lock = lock;
    }

    /**
     * Makes it.
     *
     * @throws IOException if it can't be made, or others can write to the configured one
     */
    static SpillDirectory in(Path base) throws IOException {
        synchronized (THIS_JVM) {
            Files.createDirectories(base, mode("rwx------"));
            if (POSIX) {
                Set<PosixFilePermission> open = Files.getPosixFilePermissions(base, LinkOption.NOFOLLOW_LINKS);
                open.retainAll(EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE));
                if (!open.isEmpty()) {
                    throw new IOException(
                            "others can write to " + base + ": set 'spillDirectory' to a directory of this user alone");
                }
            }
            try (FileChannel all = openLock(base)) {
                all.lock();
                Path own = Files.createTempDirectory(base, PREFIX, mode("rwx------"));
                if (!Files.getOwner(own).equals(Files.getOwner(base))) {
                    Files.delete(own);
                    throw new IOException(base + " belongs to " + Files.getOwner(base)
                            + ": set 'spillDirectory' to a directory of this user");
                }
                FileChannel lock = openLock(own);
                lock.lock();
                return new SpillDirectory(own, lock);
            }
        }
    }

    /** Deletes what processes left that did not come to their ends. */
    static void clean(Path base) throws IOException {
        if (!Files.isDirectory(base, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        synchronized (THIS_JVM) {
            try (FileChannel all = openLock(base);
                    DirectoryStream<Path> nodes = Files.newDirectoryStream(base, PREFIX + "*")) {
                all.lock();
                for (Path node : nodes) {
                    if (abandoned(node)) {
                        delete(node);
                    }
                }
            }
        }
    }

    private static boolean abandoned(Path node) throws IOException {
        try (FileChannel channel = openLock(node);
                FileLock lock = channel.tryLock()) {
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false; // Another node of this process.
        }
    }

    private static FileChannel openLock(Path directory) throws IOException {
        return FileChannel.open(
                directory.resolve(LOCK),
                EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                mode("rw-------"));
    }

    /** A new, empty file. */
    synchronized Path newFile() throws IOException {
        return Files.createFile(own.resolve("segment-" + files++), mode("rw-------"));
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
        }
        Files.deleteIfExists(directory);
    }

    /** Deletes it. */
    @Override
    public void close() throws IOException {
        synchronized (THIS_JVM) {
            lock.close();
            delete(own);
        }
    }
}
