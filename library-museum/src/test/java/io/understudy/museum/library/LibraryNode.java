package io.understudy.museum.library;

import io.understudy.codec.GuardedCodec;
import io.understudy.codec.classes.ClassList;
import io.understudy.museum.Node;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/** A node whose application has all libraries, at default settings. */
public final class LibraryNode implements Node {

    private final ClassLoader application;
    private final GuardedCodec codec;
    private final Map<String, Sample> samples;

    /** @param application the loader of this class */
    public LibraryNode(ClassLoader application) throws Exception {
        this.application = application;
        this.codec = new GuardedCodec(() -> application, Set.of(), "", ClassList.any());
        this.samples = inApplication(Rows::start);
    }

    /** As a container calls an application. */
    private <T> T inApplication(Callable<T> call) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application);
        try {
            return call.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public List<String> samples() {
        return List.copyOf(samples.keySet());
    }

    @Override
    public Map<String, String> refusals() {
        Map<String, String> refusals = new LinkedHashMap<>();
        samples.forEach((name, sample) -> {
            if (sample.stays()) {
                refusals.put(name, sample.refused());
            }
        });
        return refusals;
    }

    @Override
    public byte[] encode(String name) throws Exception {
        return inApplication(() -> codec.encode(samples.get(name).maker().call()));
    }

    @Override
    public byte[] pass(String name, byte[] bytes) throws Exception {
        return inApplication(() -> {
            Object copy = codec.decode(bytes);
            byte[] again = codec.encode(copy); // To look at it may change it.
            samples.get(name).judge(copy, 0);
            return again;
        });
    }

    @Override
    public boolean exception(String name) {
        return samples.get(name).isException();
    }

    @Override
    public boolean restoredByJdk(String name) throws Exception {
        return inApplication(() -> {
            Sample sample = samples.get(name);
            Object value = sample.maker().call();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(value);
            } catch (NotSerializableException | UnsupportedOperationException e) {
                return false;
            }
            try (ObjectInputStream in = new OfApplication(bytes.toByteArray(), application)) {
                Object copy = in.readObject();
                if (sample.kind() != Kind.CODE) { // Code has no view to compare.
                    sample.judge(copy, 0);
                }
                return true;
            } catch (Exception | AssertionError e) {
                return false;
            }
        });
    }

    /** A stream without a filter. */
    private static final class OfApplication extends ObjectInputStream {

        private final ClassLoader application;

        OfApplication(byte[] bytes, ClassLoader application) throws IOException {
            super(new ByteArrayInputStream(bytes));
            this.application = application;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
            return Class.forName(description.getName(), false, application);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] names) throws ClassNotFoundException {
            Class<?>[] interfaces = new Class<?>[names.length];
            for (int i = 0; i < names.length; i++) {
                interfaces[i] = Class.forName(names[i], false, application);
            }
            return Proxy.newProxyInstance(application, interfaces, (proxy, method, arguments) -> null)
                    .getClass();
        }
    }

    @Override
    public void close() {
        codec.close();
    }
}
