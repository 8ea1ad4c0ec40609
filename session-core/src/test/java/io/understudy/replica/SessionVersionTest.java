package io.understudy.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class SessionVersionTest {

    private static final SessionKey KEY = new SessionKey(1);

    private static SessionReplica begun() {
        return SessionReplica.of(SessionDelta.created(KEY, new Stamp(1, 1), "s", 60));
    }

    private static SessionDelta write(String name, long time) {
        Stamp stamp = new Stamp(time, 1);
        return new SessionDelta(
                KEY,
                false,
                null,
                null,
                null,
                Map.of(name, time % 5 == 0 ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, new byte[] {1})),
                null);
    }

    /** A replica holds a version if, and only if, none of the fields it tells of is older there. */
    @Test
    void itIsHeldByThoseWhoLackNothing() {
        Random random = new Random(1);
        for (int round = 0; round < 10_000; round++) {
            SessionReplica seen = begun();
            SessionReplica here = begun();
            Map<String, Long> latest = new HashMap<>();
            Map<String, Long> held = new HashMap<>();
            int writes = random.nextInt(8);
            for (int i = 1; i <= writes; i++) {
                String name = "n" + random.nextInt(3);
                SessionDelta write = write(name, 1 + i);
                seen = seen.merge(write);
                latest.put(name, (long) i);
                if (random.nextInt(4) > 0) {
                    here = here.merge(write);
                    held.put(name, (long) i);
                }
            }
            assertEquals(latest.equals(held), SessionVersion.of(KEY, seen).heldBy(here));
            assertTrue(SessionVersion.of(KEY, seen).heldBy(seen));
            assertTrue(SessionVersion.of(KEY, here).heldBy(seen.merge(here.asDelta())));
        }
    }

    @Test
    void itTellsOfTheLastFieldsOnly() {
        SessionReplica seen = begun();
        for (int i = 0; i < 100; i++) {
            seen = seen.merge(write("n" + i, 2 + i));
        }
        SessionVersion version = SessionVersion.of(KEY, seen);
        assertEquals(SessionVersion.MAX_FIELDS, version.writes().size());
        assertEquals(101, version.writes().values().stream().max(Long::compare).orElseThrow());
        assertEquals(86, version.writes().values().stream().min(Long::compare).orElseThrow());
    }

    @Test
    void whatIsOverIsHeldByThoseWhoDoNotHaveIt() {
        SessionReplica over = begun().merge(SessionDelta.invalidated(KEY));
        for (SessionReplica gone : Arrays.asList(over, null)) {
            SessionVersion version = SessionVersion.of(KEY, gone);
            assertTrue(version.heldBy(over));
            assertTrue(version.heldBy(null));
            assertFalse(version.heldBy(begun()));
            SessionDelta another = SessionDelta.created(new SessionKey(2), new Stamp(9, 1), "s", 60);
            assertTrue(version.heldBy(SessionReplica.of(another)), "the id is another session's now");
            assertFalse(SessionVersion.of(KEY, begun()).heldBy(gone));
        }
    }

    @Test
    void itComesBackFromItsBytes() {
        SessionReplica seen = begun().merge(write("a", 7)).merge(write("b", Stamp.MAX_TIME));
        for (SessionReplica replica : Arrays.asList(seen, null)) {
            SessionVersion version = SessionVersion.of(KEY, replica);
            assertEquals(version, SessionVersion.decoded(version.encoded()));
        }
        byte[] bytes = SessionVersion.of(KEY, seen).encoded();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertEquals(length % 12 == 1, SessionVersion.decoded(cut) != null, "" + length);
        }
        byte[] tooLong = new byte[1 + 12 * (SessionVersion.MAX_FIELDS + 1)];
        tooLong[0] = 1;
        assertNull(SessionVersion.decoded(tooLong));
        assertNull(SessionVersion.decoded(new byte[] {2, 0, 0, 0, 0, 0, 0, 0}));
        assertNull(SessionVersion.decoded(new byte[] {3}));
    }
}
