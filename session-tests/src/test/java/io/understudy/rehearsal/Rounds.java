package io.understudy.rehearsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.understudy.audit.AuditRing;
import io.understudy.codec.AttributeCodec;
import io.understudy.codec.NotReplicableException;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.store.ReplicaStore;
import io.understudy.store.Tombstones;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.MovedTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** Rounds of rehearsals by a clock that is moved by hand, each in the thread of the test. */
abstract class Rounds {

    static final Duration ROUND = Duration.ofMillis(TakeOverRehearsal.INTERVAL_MILLIS);
    static final String BAD = "lost";
    static final String LOST = BAD + " coupon";
    static final long OTHER = 2;
    static final long SELF = 1;

    /** Does to a value what its text says: a value "lost a b" lacks these fields. */
    static final class Codec implements AttributeCodec {

        final List<String> rehearsed = new ArrayList<>();
        final Map<String, Runnable> doing = new HashMap<>();

        @Override
        public Set<String> rehearse(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            rehearsed.add(text);
            doing.getOrDefault(text, () -> {}).run();
            return text.startsWith(BAD)
                    ? Stream.of(text.substring(BAD.length() + 1).split(" "))
                            .map(field -> "shop.Cart." + field)
                            .collect(Collectors.toSet())
                    : Set.of();
        }

        @Override
        public NotReplicableException explained(Object value, NotReplicableException refusal) {
            throw unused();
        }

        private static UnsupportedOperationException unused() {
            return new UnsupportedOperationException("a rehearsal gives nobody an object");
        }

        @Override
        public byte[] encode(Object value) {
            throw unused();
        }

        @Override
        public byte[] encode(Object value, byte[] known) {
            throw unused();
        }

        @Override
        public Weighed weigh(Object value, byte[] known) {
            throw unused();
        }

        @Override
        public byte[] encode(Object value, int maxBytes) {
            throw unused();
        }

        @Override
        public Object decode(byte[] bytes) {
            throw unused();
        }

        @Override
        public Copy copy(byte[] bytes) {
            throw unused();
        }

        @Override
        public boolean immutable(Object value) {
            throw unused();
        }

        @Override
        public void close() {}
    }

    final ClassLoader loaderBefore = Thread.currentThread().getContextClassLoader();
    final ClassLoader loader = new ClassLoader() {};
    final MovedTime time = new MovedTime();
    final ReplicationMetrics metrics = new ReplicationMetrics();
    final LogLines log = new LogLines(TakeOverRehearsal.class.getName());
    final Codec codec = new Codec();
    final ReplicaStore store = store();
    final AuditRing audit = new AuditRing();
    final RehearsedApplication shop = application("/shop", codec, store);
    final List<Throwable> survived = new ArrayList<>();
    final Random random = new Random(1);
    long processorNanos;

    /** Whether the node vouches for what it holds. If not it owns nothing, and takes nothing for another member's. */
    boolean vouches = true;

    long stamps = 1;
    TakeOverRehearsal rehearsal = rehearsal(100);

    ReplicaStore store() {
        return new ReplicaStore(time, new Tombstones(Duration.ofHours(24).toMillis(), 1000));
    }

    RehearsedApplication application(String label, AttributeCodec codec, ReplicaStore store) {
        return new RehearsedApplication(
                label,
                () -> vouches,
                codec,
                () -> loader,
                store,
                audit,
                replica -> vouches && replica.lastUse().origin() == OTHER,
                name -> name.startsWith("left out"));
    }

    TakeOverRehearsal rehearsal(double percent) {
        TakeOverRehearsal made = new TakeOverRehearsal(
                "node1",
                percent,
                time,
                metrics,
                (what, cause) -> survived.add(cause),
                () -> processorNanos,
                (name, task) -> task.run());
        made.add(shop);
        return made;
    }

    @AfterEach
    void nothingFailedAndTheLogIsClosed() {
        log.close();
        assertEquals(List.of(), survived);
        assertSame(loaderBefore, Thread.currentThread().getContextClassLoader());
    }

    SessionKey session(long origin, String... values) {
        return session(store, origin, values);
    }

    SessionKey session(ReplicaStore where, long origin, String... values) {
        SessionKey key = new SessionKey(random.nextLong());
        where.merge(SessionDelta.created(key, new Stamp(stamps++, origin), "id" + key, 1800), 0, 0);
        for (int i = 0; i < values.length; i++) {
            write(where, key, origin, "a" + i, values[i]);
        }
        return key;
    }

    void write(ReplicaStore where, SessionKey key, long origin, String name, String value) {
        Stamp stamp = new Stamp(stamps++, origin);
        StampedBytes bytes = StampedBytes.of(stamp, value.getBytes(StandardCharsets.UTF_8));
        where.merge(new SessionDelta(key, false, null, null, stamp, Map.of(name, bytes), null), 0, 0);
    }

    void round() {
        time.advance(ROUND);
        rehearsal.tick();
    }

    long failing() {
        return rehearsal.failing().values().stream().mapToLong(Long::longValue).sum();
    }

    static void sneak(Throwable thrown) {
        Rounds.<RuntimeException>sneakAs(thrown);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneakAs(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
