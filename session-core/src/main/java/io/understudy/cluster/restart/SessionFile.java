package io.understudy.cluster.restart;

import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Update;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The sessions and tombstones of one application in a file. Grammar; numbers are big-endian:
 *
 * <pre>
 * file    = magic(8)=0x5553544459534553 version(1)=1 header n*record end
 * header  = utf-cluster utf-application written(8)
 * record  = length(4)>0 change       a frame of the wire format, with its own version
 * end     = 0(4) count(8) crc32c(4)  of all bytes before it
 * utf     = length(2) modified UTF-8, as of DataOutput
 * written = milliseconds since 1970 by the clock of the machine; all other times are durations at that moment
 * </pre>
 *
 * <p>Nothing of a file is used before its checksum was found right. Written to a name beside it, forced to the disk and
 * then renamed: there is the whole file or none. Its owner alone can read it. Memory: one session at a time.
 *
 * <p>Threads: any, one at a time for a file.
 */
public final class SessionFile {

    private static final long MAGIC = 0x5553544459534553L;
    private static final int VERSION = 1;
    private static final int BUFFER_BYTES = 64 << 10;
    private static final String OWNER_ONLY = "rw-------";

    /** Whose sessions, and when they were written. */
    public record Header(String cluster, String application, long writtenAtMillis) {}

    private SessionFile() {}

    /**
     * Writes a file, in place of one of that name.
     *
     * @param application its number on the wire
     * @return how many sessions and tombstones
     */
    public static long write(Path file, Header header, long application, Iterator<Update> updates) throws IOException {
        Path beside = file.resolveSibling(file.getFileName() + ".writing");
        Files.deleteIfExists(beside);
        try {
            long count = writeNew(beside, header, application, updates);
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return count;
        } finally {
            Files.deleteIfExists(beside); // What a full disk took of it would only keep that full.
        }
    }

    private static long writeNew(Path file, Header header, long application, Iterator<Update> updates)
            throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, Set.<OpenOption>of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly(file))) {
            CheckedOutputStream checked = new CheckedOutputStream(
                    new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES), new CRC32C());
            DataOutputStream out = new DataOutputStream(checked);
            long count = write(out, header, application, updates);
            out.writeInt((int) checked.getChecksum().getValue());
            out.flush();
            channel.force(true);
            return count;
        }
    }

    private static long write(DataOutputStream out, Header header, long application, Iterator<Update> updates)
            throws IOException {
        out.writeLong(MAGIC);
        out.writeByte(VERSION);
        out.writeUTF(header.cluster());
        out.writeUTF(header.application());
        out.writeLong(header.writtenAtMillis());
        long count = 0;
        while (updates.hasNext()) {
            // The release before reads it, too: what is exchanged may be exchanged back.
            byte[] change = WireCodec.encode(new Change(application, updates.next()), WireCodec.LOWEST_VERSION);
            out.writeInt(change.length);
            out.write(change);
            count++;
        }
        out.writeInt(0);
        out.writeLong(count);
        return count;
    }

    private static FileAttribute<?>[] ownerOnly(Path file) {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Reads all of a file, to see whether it is whole.
     *
     * @throws UnusableFileException if it is not
     */
    public static Header check(Path file) throws IOException {
        return records(file, (number, change) -> {});
    }

    /**
     * Reads a file that was {@linkplain #check checked}.
     *
     * @param unreadable gets the number of each record, from 0 on, that can't be read, and why; all others are sessions
     */
    public static void read(Path file, Consumer<Update> sessions, BiConsumer<Long, String> unreadable)
            throws IOException {
        records(file, (number, change) -> {
            Frame frame;
            try {
                frame = WireCodec.decode(change, 0, change.length);
            } catch (WireFormatException e) {
                unreadable.accept(number, String.valueOf(e.getMessage()));
                return;
            }
            if (frame instanceof Change whole) {
                sessions.accept(whole.update());
            } else {
                unreadable.accept(
                        number, "expected a change, found " + frame.getClass().getSimpleName());
            }
        });
    }

    private static Header records(Path file, BiConsumer<Long, byte[]> records) throws IOException {
        try (CheckedInputStream checked = new CheckedInputStream(
                        new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES), new CRC32C());
                DataInputStream in = new DataInputStream(checked)) {
            Header header = header(in);
            long left = Files.size(file);
            long count = 0;
            for (int length = in.readInt(); length != 0; length = in.readInt()) {
                if (length < 0 || length > left) {
                    throw new UnusableFileException(
                            "record " + count + ": expected a length from 1 to " + left + " bytes, found " + length);
                }
                byte[] change = in.readNBytes(length);
                if (change.length < length) {
                    throw new EOFException();
                }
                records.accept(count, change);
                count++;
            }
            expect("number of records", count, in.readLong());
            int sum = (int) checked.getChecksum().getValue();
            expect("checksum", sum, in.readInt());
            expect("byte after the end", -1, in.read());
            return header;
        } catch (EOFException | UTFDataFormatException e) {
            throw new UnusableFileException("it is truncated, or its header is not text");
        }
    }

    private static Header header(DataInputStream in) throws IOException {
        expect("kind of file", MAGIC, in.readLong());
        expect("version", VERSION, in.readUnsignedByte());
        return new Header(in.readUTF(), in.readUTF(), in.readLong());
    }

    private static void expect(String what, long expected, long actual) throws UnusableFileException {
        if (expected != actual) {
            throw new UnusableFileException(what + ": expected " + expected + ", found " + actual);
        }
    }
}
