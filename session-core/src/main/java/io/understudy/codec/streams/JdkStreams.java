package io.understudy.codec.streams;

import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.buffers.Decoded;
import io.understudy.codec.buffers.HeapWeight;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.RefusedStreamClassException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Attributes as JDK streams, with the application's classes, if the filter lets them pass.
 *
 * <p>Threads: any.
 */
public final class JdkStreams {

    /** In front of each stream. */
    public static final byte FORMAT = 1;

    /** Most parts of a value that are read by themselves, to find which classes they put in place. */
    private static final int MAX_PARTS = 100;

    private final Supplier<ClassLoader> loader;
    private final ClassFilter filter;
    private final StreamedContainers containers = new StreamedContainers();

    /** @param loader the application's class loader; asked in request threads */
    public JdkStreams(Supplier<ClassLoader> loader, ClassFilter filter) {
        this.loader = loader;
        this.filter = filter;
    }

    /** @return whether only {@linkplain #proveReadable reading it} proves that others can read it */
    public boolean write(Object value, BoundedOutput to) throws IOException {
        JdkWriter out = new JdkWriter(to, filter, containers);
        try (out) {
            out.writeObject(value);
        }
        filter.met(out.written());
        return out.doubtful();
    }

    /**
     * Reads bytes that were written here, as others will.
     *
     * @throws NotReadableException if they can't be read
     */
    public void proveReadable(byte[] bytes) throws NotReadableException {
        try {
            if (asInRequest(() -> read(bytes)).value() == null) {
                throw new IOException("the value resolved to null");
            }
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            throw new NotReadableException(bytes, e);
        }
    }

    /** Whether only reading a stream with such an object shows that others can. */
    public boolean doubtful(Class<?> type) {
        return containers.form(type).doubtful();
    }

    /**
     * Collects the classes of what {@code readResolve} puts in place where others read a value, if they refuse it.
     *
     * @param most bytes of the value that are looked at
     */
    public void collectRefusedInPlace(Object value, int most, Set<Class<?>> refused) {
        List<Object> replaced = new ArrayList<>();
        BoundedOutput out = new BoundedOutput(most);
        byte[] whole = writtenInPart(value, out, replaced);
        if (replaced.isEmpty() || out.full() || (whole != null && collect(whole, refused))) {
            return;
        }
        // A part that can't be read without what is missing hides those behind it: each is read by itself.
        int left = most;
        for (Object each : replaced.subList(0, Math.min(MAX_PARTS, replaced.size()))) {
            BoundedOutput part = new BoundedOutput(left);
            byte[] bytes = writtenInPart(each, part, new ArrayList<>());
            left -= Math.max(1, part.position());
            if (left <= 0 || part.full()) {
                return;
            }
            boolean unused = bytes != null && collect(bytes, refused);
        }
    }

    /**
     * @param replaced gets the objects that may be replaced when they are read
     * @return {@code null} if they can't be written
     */
    private byte @Nullable [] writtenInPart(Object value, BoundedOutput to, List<Object> replaced) {
        try {
            to.writeByte(FORMAT);
            AllowedParts part = new AllowedParts(filter, containers, replaced);
            try (JdkWriter out = new JdkWriter(to, filter, containers, part)) {
                out.writeObject(value);
            }
            return to.toBytes(null, false);
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            return null; // Too large, or of the application's classes.
        }
    }

    /** @return whether all was read */
    private boolean collect(byte[] bytes, Set<Class<?>> refused) {
        try {
            asInRequest(() -> read(bytes, new StreamFilter(filter, bytes.length, refused)));
            return true;
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            return false;
        }
    }

    private Decoded asInRequest(Callable<Decoded> reading) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader.get());
        try {
            return reading.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Lets go of the application's classes. */
    public void close() {
        containers.clear();
    }

    /** @param bytes of which the stream begins at the second */
    public Decoded read(byte[] bytes) throws IOException, ClassNotFoundException {
        return read(bytes, new StreamFilter(filter, bytes.length));
    }

    private Decoded read(byte[] bytes, StreamFilter bounded) throws IOException, ClassNotFoundException {
        InputStream body = new ByteArrayInputStream(bytes, 1, bytes.length - 1);
        try (JdkReader in = new JdkReader(body, loader.get(), filter)) {
            in.setObjectInputFilter(bounded);
            try {
                Object value = in.readChecked();
                return new Decoded(value, in.reordered(), HeapWeight.BYTES_PER_STREAMED * bytes.length, in.dropped());
            } catch (IOException e) {
                String refusal = bounded.refusal();
                throw refusal == null || !(e instanceof InvalidClassException)
                        ? new IOException("reading " + in.lastClass() + ": " + e, e)
                        : new RefusedStreamClassException(refusal, e);
            }
        }
    }
}
