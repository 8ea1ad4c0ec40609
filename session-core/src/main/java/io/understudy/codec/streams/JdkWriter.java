package io.understudy.codec.streams;

import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.RefusedStreamClassException;
import io.understudy.codec.classes.WrittenHandler;
import io.understudy.codec.classes.WrittenUrl;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectOutputStream;
import java.net.URL;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JDK stream that says at once, to who sets the attribute, what a reader would refuse, a class or the nesting, and
 * notes the {@link Lineage} of classes. Containers that other threads may change are written {@linkplain
 * StreamedContainers as copies}.
 *
 * <p>Threads: one.
 */
final class JdkWriter extends ObjectOutputStream {

    /**
     * One less than readers go: a reference to an earlier object is one level more for them, and is not told of here.
     */
    private static final int MAX_DEPTH = ClassFilter.MAX_DEPTH - 1;

    private static final StackWalker FRAMES = StackWalker.getInstance();

    private final BoundedOutput out;
    private final ClassFilter filter;
    private final StreamedContainers containers;
    private final @Nullable AllowedParts part;
    private final Set<Class<?>> written = new HashSet<>();
    private final VaadinInstances vaadin = new VaadinInstances();

    /**
     * Each new object nests one level deeper at most, so the depth is asked for again after as many as there is room
     * for.
     */
    private int untilAsked = MAX_DEPTH;

    private boolean doubtful;

    JdkWriter(BoundedOutput out, ClassFilter filter, StreamedContainers containers) throws IOException {
        this(out, filter, containers, null);
    }

    /** @param part of a value that is written; {@code null} is all */
    JdkWriter(BoundedOutput out, ClassFilter filter, StreamedContainers containers, @Nullable AllowedParts part)
            throws IOException {
        super(out);
        this.part = part;
        this.out = out;
        this.filter = filter;
        this.containers = containers;
        enableReplaceObject(true);
    }

    /** The classes that were met, if the filter {@linkplain ClassFilter#learns learns}. */
    Set<Class<?>> written() {
        return written;
    }

    /** Whether only reading the stream tells that others can. */
    boolean doubtful() {
        return doubtful;
    }

    @Override
    protected @Nullable Object replaceObject(Object object) throws IOException {
        if (object instanceof IOException failure && isFatal()) {
            throw failure; // Written into the stream, it could fill it, and the value would seem to be too large.
        }
        if (part != null && !part.has(object)) {
            return null;
        }
        if (--untilAsked < 0) {
            int depth = depth();
            if (depth > MAX_DEPTH) {
                throw new InvalidObjectException("objects nest to a depth of more than " + MAX_DEPTH
                        + ", which is as deep as they are read; keep them in a list instead of a chain");
            }
            untilAsked = MAX_DEPTH - depth;
        }
        if (object instanceof URL url) {
            requireAllowed(URL.class);
            return WrittenUrl.of(url);
        }
        StreamedContainers.Form form = containers.form(object.getClass());
        doubtful |= form.doubtful();
        Object instead = form.of(object, out);
        if (instead instanceof WrittenHandler) {
            requireAllowed(object.getClass()); // Readers ask this of what they make of it.
        }
        return instead;
    }

    private void requireAllowed(Class<?> type) throws InvalidClassException {
        String objection = filter.objectionToOrigin(type);
        if (objection != null && part == null) {
            throw new RefusedStreamClassException(objection, null);
        }
    }

    /** Whether the stream is about to write the exception that ended it. */
    private static boolean isFatal() {
        return FRAMES.walk(frames -> frames.takeWhile(
                        frame -> !frame.getClassName().equals(JdkStreams.class.getName()))
                .anyMatch(frame -> frame.getMethodName().equals("writeFatalException")));
    }

    /**
     * The stream keeps it to itself, but has a frame of this method for each level. Of the frames below it there may be
     * many.
     */
    private static int depth() {
        return FRAMES.walk(frames ->
                (int) frames.takeWhile(frame -> !frame.getClassName().equals(JdkStreams.class.getName()))
                        .filter(frame -> frame.getMethodName().equals("writeObject0")
                                && frame.getClassName().equals(ObjectOutputStream.class.getName()))
                        .count());
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
        if (!type.isInterface() || !filter.mentioned(type.getName())) {
            meet(type);
        } else {
            requireAllowed(type);
        }
        vaadin.meet(type);
        Lineage.of(type).write(this);
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
        meet(type);
    }

    private void meet(Class<?> type) throws InvalidClassException {
        if (part != null) {
            return; // A class that stands there itself may be refused: no object is made of it.
        }
        filter.check(type);
        if (filter.learns()) {
            written.add(type);
        }
    }

    @Override
    public void close() throws IOException {
        vaadin.restore();
        super.close();
    }
}
