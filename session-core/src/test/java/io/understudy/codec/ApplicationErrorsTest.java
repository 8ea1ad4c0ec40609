package io.understudy.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.codec.HardToRestore.Bean;
import io.understudy.codec.classes.ClassList;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What classes of the application throw while they are encoded or decoded. */
@Tag("rules")
class ApplicationErrorsTest {

    private static final ThreadLocal<Throwable> THROWN = new ThreadLocal<>();

    private final GuardedCodec codec =
            new GuardedCodec(ApplicationErrorsTest.class::getClassLoader, Set.of(), "", ClassList.any());

    @AfterEach
    void calm() {
        THROWN.remove();
    }

    /** Checked exceptions, too, as other languages do. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void failIfSet() throws T {
        Throwable thrown = THROWN.get();
        if (thrown != null) {
            throw (T) thrown;
        }
    }

    static final class Written implements Serializable {
        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            ApplicationErrorsTest.<RuntimeException>failIfSet();
        }
    }

    /** Public with a public constructor, as Externalizable asks. */
    public static final class External implements Externalizable {
        private static final long serialVersionUID = 1L;

        public External() {}

        @Override
        public void writeExternal(ObjectOutput out) {
            ApplicationErrorsTest.<RuntimeException>failIfSet();
        }

        @Override
        public void readExternal(ObjectInput in) {}
    }

    static final class ReplacedWhenWritten implements Serializable {
        private static final long serialVersionUID = 1L;

        Object writeReplace() {
            ApplicationErrorsTest.<RuntimeException>failIfSet();
            return this;
        }
    }

    record Component(String name) implements Serializable {
        @Override
        public String name() {
            ApplicationErrorsTest.<RuntimeException>failIfSet();
            return name;
        }
    }

    static final class Read implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            ApplicationErrorsTest.<RuntimeException>failIfSet();
        }
    }

    static Stream<Throwable> thrown() {
        return Stream.of(
                new NoClassDefFoundError("com/acme/Optional"),
                new ExceptionInInitializerError("com.acme.Settings"),
                new AssertionError("never"),
                new OutOfMemoryError("Java heap space"),
                new StackOverflowError(),
                new Error("of the application"),
                new InterruptedException("checked"),
                new IllegalStateException("unchecked"));
    }

    static Stream<Arguments> encodings() {
        List<Supplier<Object>> values = List.of(
                Written::new,
                External::new,
                ReplacedWhenWritten::new,
                () -> new Component("c"),
                () -> new ArrayList<>(List.of(new Component("c"), Locale.ROOT)),
                () -> Map.of("k", new Written()));
        return thrown().flatMap(thrown -> values.stream().map(value -> Arguments.of(thrown, value.get())));
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void nothingTheyThrowLeavesEncoding(Throwable thrown, Object value) throws Exception {
        codec.encode(value);
        THROWN.set(thrown);
        NotReplicableException refused = assertThrows(NotReplicableException.class, () -> codec.encode(value));
        assertFalse(refused.tooLarge(), refused.getMessage());
        assertEquals(thrown instanceof RuntimeException, refused.changing(), refused.getMessage());
        boolean passing = thrown instanceof RuntimeException || thrown instanceof OutOfMemoryError;
        assertEquals(passing, refused.passing(), refused.getMessage());
        if (thrown instanceof Error) {
            String name = thrown.getClass().getName();
            assertTrue(causes(refused).contains(name), () -> causes(refused) + " without " + name);
        }
        THROWN.remove();
        for (Object next : List.of(value, new Bean("b"))) {
            assertEquals(next.getClass(), codec.decode(codec.encode(next)).getClass(), "it poisons nothing");
        }
    }

    private static String causes(Throwable of) {
        StringBuilder text = new StringBuilder();
        for (Throwable at = of; at != null; at = at.getCause()) {
            text.append(at).append("; ");
        }
        return text.toString();
    }

    @Test
    void anErrorOfTheJvmItselfGoesOn() {
        THROWN.set(new InternalError("broken"));
        assertThrows(InternalError.class, () -> codec.encode(new Written()));
        assertThrows(InternalError.class, () -> codec.encode(new ArrayList<>(List.of(new Written()))));
    }

    /**
     * A value that can't be read as the heap is full is there all the same: to call it absent would have it made anew.
     */
    @ParameterizedTest
    @MethodSource("thrown")
    void whatTheyThrowWhenReadIsARefusal(Throwable thrown) throws Exception {
        byte[] bytes = codec.encode(new Read());
        THROWN.set(thrown);
        if (thrown instanceof OutOfMemoryError) {
            assertThrows(OutOfMemoryError.class, () -> codec.decode(bytes));
        } else {
            assertThrows(NotDecodableException.class, () -> codec.decode(bytes));
        }
        THROWN.remove();
        assertEquals(Read.class, codec.decode(bytes).getClass());
    }
}
