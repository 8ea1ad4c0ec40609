package io.understudy.codec;

import com.esotericsoftware.kryo.KryoException;
import io.understudy.codec.buffers.BoundedOutput;
import io.understudy.codec.classes.ClassFilter;
import io.understudy.codec.classes.FaithfulTypes;
import io.understudy.codec.classes.Refusal;
import io.understudy.codec.classes.WrittenHandler;
import io.understudy.codec.classes.WrittenUrl;
import io.understudy.codec.streams.JdkStreams;
import io.understudy.codec.streams.NotReadableException;
import io.understudy.codec.streams.VaadinInstances;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds all classes that are in the way of a value of which one class was refused: a stream that goes on after a
 * refusal. The bytes are thrown away. Each refusal is looked at by itself, as another value of the same class, or the
 * same one later, may hold other classes behind the first. It costs several times what encoding a value does.
 *
 * <p>Threads: one.
 */
final class RefusedClasses extends ObjectOutputStream {

    /** How many times as large as Kryo's bytes a JDK stream of the same value may be, and is looked at whole. */
    private static final int STREAM_FACTOR = 8;

    /** Above this a value is looked at as far as its own limit goes. */
    private static final int MAX_LOOK = 8 << 20;

    private final ClassFilter filter;
    private final JdkStreams streams;
    private final VaadinInstances vaadin = new VaadinInstances();

    /** Whether the value took a JDK stream, in which not all classes pass that Kryo writes. */
    private final boolean streamed;

    private final Set<Class<?>> refused = new LinkedHashSet<>();
    private final Set<String> others = new LinkedHashSet<>();

    /** Whether there is an object that may put another one in its place when it is read. */
    private boolean replaced;

    private RefusedClasses(BoundedOutput out, ClassFilter filter, JdkStreams streams, boolean streamed)
            throws IOException {
        super(out);
        this.filter = filter;
        this.streams = streams;
        this.streamed = streamed;
        enableReplaceObject(true);
    }

    /**
     * The refusal in words that name all classes that are in the way, with what the setting needs, in one line that can
     * be pasted; the refusal itself if no class is.
     *
     * @param maxBytes of the value's encoding
     */
    static NotReplicableException named(
            Object value, NotReplicableException refusal, ClassFilter filter, JdkStreams streams, int maxBytes) {
        Throwable cause = refusal.getCause();
        boolean ofClasses = refusal.unreadable()
                || (refusal.lasting() && (cause instanceof ObjectStreamException || cause instanceof KryoException));
        if (!ofClasses || cause == null) {
            return refusal;
        }
        int most = Math.max(maxBytes, (int) Math.min((long) maxBytes * STREAM_FACTOR, MAX_LOOK));
        RefusedClasses all;
        try {
            // Not closed: what is still to be written may not fit.
            all = new RefusedClasses(new BoundedOutput(most), filter, streams, !(cause instanceof KryoException));
        } catch (IOException e) {
            return refusal;
        }
        try {
            all.look(value, most);
        } finally {
            all.vaadin.restore();
        }
        String text = all.text();
        return text == null ? refusal : refusal.naming(value, text + furtherReason(cause), cause);
    }

    /** Such as that objects nest too deep. */
    private static String furtherReason(Throwable cause) {
        boolean named = cause instanceof Refusal
                || cause instanceof NotSerializableException
                || cause instanceof NotReadableException;
        return named || cause.getMessage() == null ? "" : "; " + cause.getMessage();
    }

    private void look(Object value, int most) {
        attempt(() -> writeObject(value));
        if (replaced) {
            Set<Class<?>> inPlace = new LinkedHashSet<>();
            attempt(() -> streams.collectRefusedInPlace(value, most, inPlace));
            inPlace.forEach(type -> add(type, filter::objectionToOrigin));
        }
    }

    private interface Looking {
        void run() throws IOException;
    }

    @SuppressWarnings("EmptyCatch") // What was met before counts.
    private static void attempt(Looking looking) {
        try {
            looking.run();
        } catch (Throwable e) { // Too large, or from the application's classes.
            if (EncodingFailure.fatal(e)) {
                throw (Error) e;
            }
        }
    }

    private @Nullable String text() {
        List<String> reasons = new ArrayList<>();
        List<String> names = refused.stream().map(Class::getName).toList();
        if (!names.isEmpty()) {
            reasons.add(String.join(", ", names)
                    + (names.size() == 1 ? " is not a class" : " are not classes")
                    + " of the application; the setting 'attributeFilter' can allow "
                    + (names.size() == 1 ? "it: '" : "them: '")
                    + String.join(";", names)
                    + "'");
        }
        reasons.addAll(others);
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    @Override
    protected @Nullable Object replaceObject(Object object) {
        if (object instanceof URL url) {
            lookAt(url);
            return null;
        }
        if (object instanceof Class || WrittenHandler.insteadOf(object) != object) {
            return null;
        }
        if (object instanceof Optional<?> optional) {
            if (streamed) {
                others.add(NotReplicableException.notSerializable(Optional.class.getName()));
            }
            return optional.orElse(null);
        }
        if (!(object instanceof Serializable)
                && (streamed || !FaithfulTypes.JDK.contains(object.getClass().getName()))) {
            others.add(NotReplicableException.notSerializable(object.getClass().getName()));
        }
        boolean serializable = object instanceof Serializable;
        replaced |= serializable && streams.doubtful(object.getClass());
        return serializable ? object : null;
    }

    private void lookAt(URL url) {
        add(URL.class, filter::objectionToOrigin);
        try {
            var unused = WrittenUrl.of(url);
        } catch (NotSerializableException e) {
            others.add(NotReplicableException.notSerializable(String.valueOf(e.getMessage())));
        }
    }

    @Override
    protected void annotateClass(Class<?> type) {
        if (!type.isInterface() || !filter.mentioned(type.getName())) {
            add(type, filter::objection);
        }
        vaadin.meet(type);
    }

    @Override
    protected void annotateProxyClass(Class<?> type) {
        add(type, filter::objection);
    }

    /** A proxy is named by its interfaces, an array by its elements: those are what the setting can have. */
    private void add(Class<?> type, Function<Class<?>, @Nullable String> judge) {
        Class<?> judged = ClassFilter.judgedAs(type);
        if (Proxy.isProxyClass(judged)) {
            for (Class<?> each : judged.getInterfaces()) {
                add(each, judge);
            }
            return;
        }
        String objection = judge.apply(type);
        if (objection != null && objection.equals(ClassFilter.notOfApplication(judged))) {
            refused.add(judged);
        } else if (objection != null) {
            others.add(objection);
        }
    }
}
