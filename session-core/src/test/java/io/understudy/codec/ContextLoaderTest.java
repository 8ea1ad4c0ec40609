package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.understudy.codec.classes.ClassList;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values are made in threads that look like the application's. A library's class that looks for its services as it is
 * initialized would be broken for good where a thread of the container, or of another application, reads first.
 */
@Tag("rules")
class ContextLoaderTest {

    /** The context class loader when a value was made last. */
    private static final AtomicReference<ClassLoader> SEEN = new AtomicReference<>();

    /** In Kryo's format. */
    record Plain(String name) implements Serializable {
        Plain {
            SEEN.set(Thread.currentThread().getContextClassLoader());
        }
    }

    /** In the JDK's format, as it reads itself. */
    static final class ReadsItself implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            SEEN.set(Thread.currentThread().getContextClassLoader());
        }
    }

    private final ClassLoader application =
            new URLClassLoader("application", new URL[0], ContextLoaderTest.class.getClassLoader());
    private final GuardedCodec codec = new GuardedCodec(() -> application, Set.of(), "", ClassList.any());
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(before);
    }

    private void assertMadeInTheApplication(Object value) throws Exception {
        byte[] bytes = codec.encode(value);
        ClassLoader other = new URLClassLoader("container", new URL[0], null);
        Thread.currentThread().setContextClassLoader(other);
        SEEN.set(null);
        Object copy = codec.decode(bytes);
        assertEquals(value.getClass(), copy.getClass());
        assertSame(application, SEEN.get());
        assertSame(other, Thread.currentThread().getContextClassLoader());
    }

    @Test
    void recordsAre() throws Exception {
        assertMadeInTheApplication(new Plain("a"));
    }

    @Test
    void objectsThatReadThemselvesAre() throws Exception {
        assertMadeInTheApplication(new ReadsItself());
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, 1, 2})
    void aFailureChangesNothing(byte format) {
        try {
            codec.decode(new byte[] {format, 99, 99});
        } catch (NotDecodableException e) {
            assertSame(before, Thread.currentThread().getContextClassLoader());
        }
    }
}
