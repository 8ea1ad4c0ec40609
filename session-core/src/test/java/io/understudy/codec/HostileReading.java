package io.understudy.codec;

import com.sun.management.ThreadMXBean;
import io.understudy.codec.classes.ClassList;
import io.understudy.codec.classes.ClassListFile;
import io.understudy.wire.Frame;
import io.understudy.wire.GoldenFrames;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What has to hold whatever the bytes: no exception but the declared one, no allocation above the bound, no class initialized
 * that is not in the list. For properties and fuzzers.
 *
 * <p>Threads: one.
 */
public final class HostileReading implements AutoCloseable {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** For the message of a failure and its stack trace. */
    private static final long FRAME_ALLOWANCE = 16 << 10;

    /** Objects for bytes: an acknowledgement takes one byte, and 40 as an object in a list. */
    private static final long FRAME_FACTOR = 64;

    /** Elements that need no bytes, and a hash table twice as large as what is in it. */
    private static final long ATTRIBUTE_ALLOWANCE = 2 << 20;

    /** Elements for bytes, of 8 bytes each, and objects of JDK streams beside what they say. */
    private static final long ATTRIBUTE_FACTOR = 512;

    private final GuardedCodec codec;
    private final long agentBytes;

    public HostileReading() {
        this(0);
    }

    /** @param agentBytes that an agent in this JVM may allocate for each reading */
    public HostileReading(long agentBytes) {
        this.agentBytes = agentBytes;
        codec = codec();
    }

    private static GuardedCodec codec() {
        try {
            Path list = Files.createTempFile("understudy-listed", ".txt");
            try {
                Files.delete(list);
                ClassListFile.add(list, listed());
                return new GuardedCodec(HostileReading.class::getClassLoader, Set.of(), "", ClassList.enforce(list));
            } finally {
                Files.deleteIfExists(list);
                Files.deleteIfExists(list.resolveSibling(list.getFileName() + ".lock"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that the attributes of the zoo hold, and so not the canary. */
    private static Set<String> listed() {
        Set<String> names = new TreeSet<>();
        for (Class<?> holder : List.of(HardToRestore.class, ZooTypes.class, TypeZoo.class, ZooMakers.class)) {
            names.add(holder.getName());
            for (Class<?> nested : holder.getDeclaredClasses()) {
                names.add(nested.getName());
            }
        }
        return names;
    }

    /** Frames of every kind. */
    public static List<byte[]> frames() {
        return GoldenFrames.all().stream().map(GoldenFrames.Golden::bytes).toList();
    }

    /** Attributes of many types, by either format, and some that name a class which is not listed. */
    public static List<byte[]> attributes() {
        List<byte[]> all = new ArrayList<>(Canaries.bytes());
        try (GuardedCodec codec = codec()) {
            for (TypeZoo.Animal animal : TypeZoo.animals().toList()) {
                Object value = animal.value().call();
                try {
                    all.add(codec.encode(value));
                    all.add(Canaries.jdk(value));
                } catch (NotReplicableException | UncheckedIOException e) {
                    // One that is there to be refused.
                }
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return all;
    }

    /**
     * Reads a frame; and again what it says, which has to be the same.
     *
     * @return whether it is one
     */
    public boolean frame(byte[] bytes) {
        Frame frame = bounded(FRAME_ALLOWANCE + FRAME_FACTOR * bytes.length, bytes, HostileReading::frameIn);
        if (frame != null) {
            again(frame, bytes[0]);
        }
        return frame != null;
    }

    private static @Nullable Frame frameIn(byte[] bytes) {
        try {
            return WireCodec.decode(bytes, 0, bytes.length);
        } catch (WireFormatException e) {
            return null;
        }
    }

    private static void again(Frame frame, int version) {
        byte[] written = WireCodec.encode(frame, version);
        try {
            if (!WireCodec.decode(written, 0, written.length).equals(frame)) {
                throw new AssertionError("read back as another frame: " + frame);
            }
        } catch (WireFormatException e) {
            throw new AssertionError("can't be read back: " + frame, e);
        }
    }

    /**
     * Reads an attribute.
     *
     * @return whether it is one
     */
    public boolean attribute(byte[] bytes) {
        Object value = bounded(ATTRIBUTE_ALLOWANCE + ATTRIBUTE_FACTOR * bytes.length, bytes, this::attributeIn);
        Canaries.assertSilent();
        return value != null;
    }

    private @Nullable Object attributeIn(byte[] bytes) {
        try {
            return codec.decode(bytes);
        } catch (NotDecodableException e) {
            return null;
        }
    }

    /** What is loaded and linked when bytes of a kind are met first is not theirs: then they are read a second time. */
    private <T> @Nullable T bounded(long needed, byte[] bytes, Function<byte[], @Nullable T> reader) {
        long bound = needed + agentBytes;
        long allocated = bound + 1;
        T read = null;
        for (int attempt = 0; attempt < 2 && allocated > bound; attempt++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            read = reader.apply(bytes);
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        if (allocated > bound) {
            throw new AssertionError(
                    allocated + " bytes allocated for " + bytes.length + ", expected at most " + bound);
        }
        return read;
    }

    @Override
    public void close() {
        codec.close();
    }
}
