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
import java.util.function.Supplier;

/**
 * Attributes as JDK streams, with the application's classes, if the filter lets them pass.
 *
 * <p>Threads: any.
 */
public final class JdkStreams {

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
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader.get()); // As in a request, in which attributes are read.
        try {
            if (read(bytes).value() == null) {
                throw new IOException("the value resolved to null");
            }
        } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
            throw new NotReadableException(bytes, e);
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
        InputStream body = new ByteArrayInputStream(bytes, 1, bytes.length - 1);
        StreamFilter bounded = new StreamFilter(filter, bytes.length);
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
