package io.understudy.museum.attacks;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Reads bytes as the JDK does, without a filter, and notes which classes it loaded for them. */
final class PlainReading extends ObjectInputStream {

    /** The class was loaded that the reading was to go up to. */
    private static final class Arrived extends IOException {
        private static final long serialVersionUID = 1L;
    }

    private final Set<String> loaded;
    private final String end;

    private PlainReading(byte[] bytes, Set<String> loaded, String end) throws IOException {
        super(new ByteArrayInputStream(bytes));
        this.loaded = loaded;
        this.end = end;
    }

    /**
     * The names of all classes that were loaded for the bytes, until they ended or could not be read any further.
     *
     * @param end the class after which reading ends, because its objects would use the network; empty if none
     */
    static Set<String> loaded(byte[] bytes, String end) throws IOException {
        Set<String> loaded = new HashSet<>();
        try (PlainReading in = new PlainReading(bytes, loaded, end)) {
            in.readObject();
        } catch (Exception | LinkageError | AssertionError e) {
            // The chain has run until here.
        }
        return loaded;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        Class<?> type = Class.forName(description.getName(), false, PlainReading.class.getClassLoader());
        loaded.add(type.getName());
        if (type.getName().equals(end)) {
            throw new Arrived();
        }
        return type;
    }

    @Override
    protected Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
        loaded.addAll(Arrays.asList(names));
        return super.resolveProxyClass(names);
    }
}
