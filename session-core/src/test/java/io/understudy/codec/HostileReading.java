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
 * that the filter or the list keeps out. For properties and fuzzers.
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

    /**
     * Classes that the filter would take for the application's: the canary that the list of the other codec keeps out,
     * and those that Jazzer tries to have made.
     */
    private static final String REJECTED = "!" + Canaries.Canary.class.getName() + ";!jaz.**";

    /** Allows only what is in a list. */
    private final GuardedCodec listed;

    /** Allows what the filter allows, without a list. */
    private final GuardedCodec filtered =
            new GuardedCodec(HostileReading.class::getClassLoader, Set.of(), REJECTED, ClassList.any());

    private final long agentBytes;

    public HostileReading() {
        this(0);
    }

    /** @param agentBytes that an agent in this JVM may allocate for each reading */
    public HostileReading(long agentBytes) {
        this.agentBytes = agentBytes;
        listed = enforcing();
    }

    private static GuardedCodec enforcing() {
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

    /** Attributes of many types, by either format, and some that name a class which the list or the filter keeps out. */
    public static List<byte[]> attributes() {
        List<byte[]> all = new ArrayList<>(Canaries.bytes());
        Outsiders.NAMES.forEach(name -> all.addAll(Outsiders.bytes(name)));
        try (GuardedCodec codec = enforcing()) {
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
     * Reads an attribute, with a list of classes and without.
     *
     * @return whether it is one with the list
     */
    public boolean attribute(byte[] bytes) {
        long needed = ATTRIBUTE_ALLOWANCE + ATTRIBUTE_FACTOR * bytes.length;
        Object value = bounded(needed, bytes, each -> attributeIn(listed, each));
        bounded(needed, bytes, each -> attributeIn(filtered, each));
        Canaries.assertSilent();
        return value != null;
    }

    private static @Nullable Object attributeIn(GuardedCodec codec, byte[] bytes) {
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
        listed.close();
        filtered.close();
    }
}
