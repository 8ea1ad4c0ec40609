package io.understudy.codec;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.OutputStream;
import java.util.function.Supplier;

/**
 * Attributes as JDK streams, with the application's classes, if the filter lets them pass.
 *
 * <p>Threads: any.
 */
final class JdkStreams {

    private final Supplier<ClassLoader> loader;
    private final ClassFilter filter;

    /** @param loader the application's class loader; asked in request threads */
    JdkStreams(Supplier<ClassLoader> loader, ClassFilter filter) {
        this.loader = loader;
        this.filter = filter;
    }

    void write(Object value, OutputStream to) throws IOException {
        JdkWriter out = new JdkWriter(to, filter);
        try (out) {
            out.writeObject(value);
        }
        filter.met(out.written());
    }

    /** @param bytes of which the stream begins at the second */
    Decoded read(byte[] bytes) throws IOException, ClassNotFoundException {
        InputStream body = new ByteArrayInputStream(bytes, 1, bytes.length - 1);
        StreamFilter bounded = new StreamFilter(filter, bytes.length);
        try (JdkReader in = new JdkReader(body, loader.get(), filter)) {
            in.setObjectInputFilter(bounded);
            try {
                Object value = in.readChecked();
                return new Decoded(value, in.reordered());
            } catch (IOException e) {
                String refusal = bounded.refusal();
                throw refusal == null || !(e instanceof InvalidClassException)
                        ? new IOException("reading " + in.lastClass() + ": " + e, e)
                        : (InvalidClassException) new InvalidClassException(refusal).initCause(e);
            }
        }
    }
}
