package io.understudy.museum.library;

import io.understudy.codec.GuardedCodec;
import io.understudy.codec.classes.ClassList;
import io.understudy.museum.Node;
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
            if (sample.isException()) {
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
    public void close() {
        codec.close();
    }
}
