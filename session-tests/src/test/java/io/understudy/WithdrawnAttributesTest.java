package io.understudy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.understudy.config.Setting;
import io.understudy.metrics.Counter;
import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.SessionRequest;
import io.understudy.testkit.faults.Cluster;
import java.io.InvalidObjectException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A value of one node that takes the place of a replicated one, and can't be replicated: no other node shows the old one. */
@Tag("cluster")
class WithdrawnAttributesTest {

    private static final int MOST_BYTES = 1024;

    private final Cluster cluster = Cluster.of(
            2,
            Map.of(
                    Setting.MAX_ATTRIBUTE_BYTES,
                    "" + MOST_BYTES,
                    Setting.MAX_SESSION_BYTES,
                    "" + 3 * MOST_BYTES,
                    Setting.ATTRIBUTE_FILTER,
                    "!" + Filtered.class.getName()));
    private final LiveSession session = cluster.sessions(0).create("a", 1800);

    @AfterEach
    void close() {
        cluster.close();
    }

    /** One part of it is not serializable, for some steps. */
    private static final class Wizard implements Serializable {

        private static final long serialVersionUID = 1L;

        private @Nullable Object upload;
        private int steps;
    }

    /** Fails whenever it is written. */
    private static final class Broken implements Serializable {

        private static final long serialVersionUID = 1L;

        private void writeObject(ObjectOutputStream out) {
            throw new OutOfMemoryError("for a moment");
        }
    }

    /** Not serializable. */
    private static final class Local {}

    /** Refused by the filter. */
    private record Filtered(int number) implements Serializable {}

    /** Another object takes its place when it is read, which the filter refuses. */
    private record Resolved(int number) implements Serializable {

        private Object readResolve() {
            return new Filtered(number);
        }
    }

    /** Can be written, and not be read. */
    private static final class Unreadable implements Serializable {

        private static final long serialVersionUID = 1L;

        private Object readResolve() throws ObjectStreamException {
            throw new InvalidObjectException("not here");
        }
    }

    static Stream<Named<Supplier<Object>>> values() {
        return Stream.of(
                Named.of("not serializable", Thread::new),
                Named.of("part of it not serializable", () -> Arrays.asList("x", new Local())),
                Named.of("no memory for it", Broken::new),
                Named.of("refused by the filter", () -> new Filtered(1)),
                Named.of("refused by the filter when it is read", () -> new Resolved(1)),
                Named.of("unreadable", Unreadable::new),
                Named.of("too large", () -> "x".repeat(2 * MOST_BYTES)));
    }

    private @Nullable Object there(String name) {
        return other().attributes().get(name);
    }

    private LiveSession other() {
        return SessionRequest.find(cluster.sessions(1), "a");
    }

    @ParameterizedTest
    @MethodSource("values")
    void theOldValueIsAbsentElsewhere(Supplier<Object> value) {
        SessionRequest.put(session, "user", "ada");
        assertEquals("ada", there("user"));
        Object set = value.get();
        SessionRequest.put(session, "user", set);
        assertNull(there("user"));
        assertFalse(other().attributes().containsKey("user"));
        assertEquals(List.of(), List.copyOf(other().attributes().keySet()));
        assertEquals(set, session.attributes().get("user"), "it stays here");
        assertEquals(List.of("user"), List.copyOf(session.attributes().keySet()));
        assertEquals(0, cluster.node(1).metrics().value(Counter.ATTRIBUTES_NOT_DECODED), "it was not sent");
    }

    @Test
    void aSessionThatIsTooLargeWithTheValueLosesTheOldOne() {
        SessionRequest.put(session, "cart", "small");
        for (int i = 0; i < 3; i++) {
            SessionRequest.put(session, "other" + i, "x".repeat(MOST_BYTES - 200));
        }
        SessionRequest.put(session, "cart", "x".repeat(MOST_BYTES - 200));
        assertNull(there("cart"));
        assertNotNull(there("other2"));
        SessionRequest.use(session, () -> session.attributes().remove("other0"));
        SessionRequest.use(session, () -> assertNotNull(session.attributes().get("cart")));
        assertNotNull(there("cart"), "there is room again");
    }

    @Test
    void aChangeInPlaceThatCanNotBeEncodedWithdrawsIt() {
        Wizard wizard = new Wizard();
        SessionRequest.put(session, "wizard", wizard);
        SessionRequest.use(session, () -> {
            Wizard used = (Wizard) session.attributes().get("wizard");
            used.steps++;
            used.upload = new Local();
        });
        assertNull(there("wizard"));
        SessionRequest.use(session, () -> {
            Wizard used = (Wizard) session.attributes().get("wizard");
            used.steps++;
            used.upload = null;
        });
        assertEquals(2, ((Wizard) there("wizard")).steps, "it travels as soon as it can");
    }

    /** It was set with what can't be encoded. */
    @Test
    void aValueThatNeverTravelledDoesSoWhenItCan() {
        Wizard wizard = new Wizard();
        wizard.upload = new Local();
        SessionRequest.put(session, "wizard", wizard);
        assertNull(there("wizard"));
        assertEquals(
                Outcome.ACKNOWLEDGED,
                SessionRequest.use(session, () -> ((Wizard) session.attributes().get("wizard")).upload = null));
        assertNotNull(there("wizard"));
    }

    @Test
    void aWithdrawnValueStaysHereWhateverElseIsRemoved() {
        SessionRequest.put(session, "user", "ada");
        SessionRequest.put(session, "user", new Local());
        for (int i = 0; i < 500; i++) {
            String name = "gone" + i;
            SessionRequest.put(session, name, "x");
            SessionRequest.use(session, () -> session.attributes().remove(name));
        }
        assertNotNull(session.attributes().get("user"));
        assertNull(there("user"));
    }

    @Test
    void whatAnotherNodeSetsTakesItsPlace() {
        SessionRequest.put(session, "user", "ada");
        SessionRequest.put(session, "user", new Local());
        SessionRequest.put(other(), "user", "bob");
        assertEquals("bob", session.attributes().get("user"));
    }

    @Test
    void eachReasonIsWarnedOf() {
        try (LogLines log = new LogLines("io.understudy.session.failures")) {
            SessionRequest.put(session, "list", new ArrayList<>(List.of(new Local())));
            SessionRequest.put(session, "list", new ArrayList<>(List.of("x".repeat(2 * MOST_BYTES))));
            SessionRequest.put(session, "list", new ArrayList<>(List.of("y".repeat(2 * MOST_BYTES))));
            assertEquals(2, log.with("WARNING", "'list'").size());
        }
    }
}
