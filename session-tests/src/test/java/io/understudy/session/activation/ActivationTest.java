package io.understudy.session.activation;

import static io.understudy.testkit.SessionRequest.find;
import static io.understudy.testkit.SessionRequest.put;
import static io.understudy.testkit.SessionRequest.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.understudy.session.Commit.Outcome;
import io.understudy.session.LiveSession;
import io.understudy.session.SessionUse;
import io.understudy.testkit.Await;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.faults.Cluster;
import java.io.Serializable;
import java.lang.Thread.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attributes that are told when they are encoded, and when they are decoded. */
@Tag("cluster")
class ActivationTest {

    private final Cluster cluster = Cluster.of(2, Map.of());
    private final List<String> events = new ArrayList<>();

    static final class Listening implements Serializable {
        private static final long serialVersionUID = 1L;
        int count;
    }

    /** Tells as a container does, and notes it. */
    private class Told implements Activation {
        private final int node;

        Told(int node) {
            this.node = node;
        }

        @Override
        public boolean concerns(Class<?> type) {
            return type == Listening.class;
        }

        @Override
        public void willPassivate(String name, Object value) {
            events.add(node + " passivates " + name);
        }

        @Override
        public void didActivate(String name, Object value) {
            events.add(node + " activates " + name);
        }
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private LiveSession begin(Activation told) {
        LiveSession session = cluster.sessions(0).create("a", 1800);
        session.activation(told);
        return session;
    }

    private LiveSession there() {
        LiveSession session = find(cluster.sessions(1), "a");
        session.activation(new Told(1));
        return session;
    }

    @Test
    void itIsToldBeforeItIsEncodedAndAfterItIsDecodedOnce() {
        put(begin(new Told(0)), "value", new Listening());
        assertEquals(List.of("0 passivates value", "0 activates value"), events);
        events.clear();
        LiveSession there = there();
        assertEquals(List.of(), events, "nobody asked for it");
        use(there, () -> {
            Object value = there.attributes().get("value");
            assertEquals(List.of("1 activates value"), events, "whoever reads it first finds it active");
            assertSame(value, there.attributes().get("value"));
            assertEquals(1, events.size());
        });
        assertEquals(List.of("1 activates value", "1 passivates value", "1 activates value"), events, "compared");
    }

    @Test
    void othersAreNotTold() {
        LiveSession here = begin(new Told(0));
        put(here, "text", "b");
        use(here, () -> here.containerAttributes().put("value", new Listening()));
        LiveSession there = there();
        use(there, () -> assertEquals("b", there.attributes().get("text")));
        assertEquals(List.of(), events);
    }

    @Test
    void whatAnAttributeSetsWhenItIsToldGoesWithIt() {
        LiveSession here = cluster.sessions(0).create("a", 1800);
        here.activation(new Told(0) {
            @Override
            public void willPassivate(String name, Object value) {
                here.attributes().put("beside", "set");
                assertEquals(Outcome.UNCHANGED, here.commit().await(), "there is one at hand");
            }
        });
        put(here, "value", new Listening());
        assertEquals("set", there().attributes().get("beside"));
    }

    /** Whichever of them the commit looks at first. */
    @Test
    void whatAnAttributeChangesWhenItIsToldGoesWithIt() {
        LiveSession here = cluster.sessions(0).create("a", 1800);
        List<String> before = new ArrayList<>(List.of("old"));
        List<String> after = new ArrayList<>(List.of("old"));
        List<String> set = new ArrayList<>(List.of("old"));
        use(here, () -> {
            here.attributes().put("a", before);
            here.attributes().put("b", new Listening());
            here.attributes().put("c", after);
            here.attributes().put("d", set);
        });
        here.activation(new Told(0) {
            @Override
            public void willPassivate(String name, Object value) {
                before.add("told");
                after.add("told");
                set.add("told");
                here.attributes().put("d", set);
            }
        });
        use(here, () -> {
            assertSame(before, here.attributes().get("a"));
            before.add("in place");
            assertSame(after, here.attributes().get("c"));
            here.attributes().put("d", set);
            assertNotNull(here.attributes().get("b"));
        });
        use(there(), () -> {
            assertEquals(
                    List.of("old", "in place", "told"), there().attributes().get("a"));
            assertEquals(List.of("old", "told"), there().attributes().get("c"));
            assertEquals(List.of("old", "told"), there().attributes().get("d"));
        });
    }

    @Test
    void whatIsReadWhileOneIsToldFindsItself() {
        put(begin(new Told(0)), "value", new Listening());
        LiveSession there = find(cluster.sessions(1), "a");
        List<Object> read = new ArrayList<>();
        there.activation(new Told(1) {
            @Override
            public void didActivate(String name, Object value) {
                super.didActivate(name, value);
                read.add(there.attributes().get("value"));
            }
        });
        Object value = there.attributes().get("value");
        assertEquals(1, read.size());
        assertSame(value, read.get(0));
    }

    @Test
    void oneThatThrowsIsNamedAndReplicated() {
        Activation throwing = new Told(0) {
            @Override
            public void willPassivate(String name, Object value) {
                throw new IllegalStateException("no");
            }
        };
        try (LogLines log = new LogLines(ActivationEvents.class.getName())) {
            put(begin(throwing), "value", new Listening());
            assertEquals(1, log.with("WARNING", "'value'").size());
        }
        assertNotNull(there().attributes().get("value"));
    }

    /** A client may send its next request before the container has ended the last one. */
    @Test
    void afterItsResponseARequestPassivatesNothingThatTheNextOneUses() {
        LiveSession session = begin(new Told(0));
        put(session, "value", new Listening());
        SessionUse first = session.use();
        first.begin();
        session.attributes(first.ticket()).get("value");
        session.commit().await();
        first.responseReady();
        SessionUse next = session.use();
        next.begin();
        Listening value = (Listening) session.attributes(next.ticket()).get("value");
        events.clear();
        session.commitAfterResponse(first).await();
        first.end();
        assertEquals(List.of(), events, "the next request uses it");
        value.count++;
        session.commit().await();
        next.responseReady();
        assertEquals(List.of("0 passivates value", "0 activates value"), events);
        Await.until(
                Await.LIMIT,
                () -> "not there",
                () -> there().attributes().get("value") instanceof Listening there && there.count == 1);
        events.clear();
        value.count++;
        session.commitAfterResponse(next).await();
        next.end();
        assertEquals(List.of("0 passivates value", "0 activates value"), events, "nobody else will look at it");
    }

    @Test
    void aRequestThatReadsDuringAPassivationGetsItActive() {
        AtomicBoolean open = new AtomicBoolean(true);
        AtomicReference<Thread> reader = new AtomicReference<>();
        AtomicReference<Boolean> found = new AtomicReference<>();
        LiveSession session = cluster.sessions(0).create("a", 1800);
        session.activation(new Told(0) {
            @Override
            public void willPassivate(String name, Object value) {
                open.set(false);
                Thread reading = new Thread(() -> {
                    SessionUse use = session.use();
                    use.begin();
                    session.attributes(use.ticket()).get(name);
                    found.set(open.get());
                    use.end();
                });
                reader.set(reading);
                reading.start();
                Await.until(
                        Await.LIMIT,
                        reading::getState,
                        () -> reading.getState() == State.TIMED_WAITING || reading.getState() == State.TERMINATED);
            }

            @Override
            public void didActivate(String name, Object value) {
                open.set(true);
            }
        });
        put(session, "value", new Listening());
        Await.until(Await.LIMIT, () -> "nothing was read", () -> found.get() != null);
        assertEquals(true, found.get());
    }
}
