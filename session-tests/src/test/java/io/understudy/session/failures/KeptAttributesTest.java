package io.understudy.session.failures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.session.failures.KeptAttributes.Reason;
import io.understudy.session.failures.KeptAttributes.Why;
import io.understudy.store.ReplicaStore;
import io.understudy.store.Tombstones;
import io.understudy.testkit.LogLines;
import io.understudy.testkit.MovedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attributes that stay on this node: their figures, the log and the notes, by a clock that is moved by hand. */
@Tag("rules")
class KeptAttributesTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String BEGUN = "stays on this node";
    private static final String ENDED = "on this node only any more";

    /** The live session of each key; an attribute in it could not be sent. */
    private final Map<SessionKey, Set<String>> unsent = new HashMap<>();

    private final Map<SessionKey, Predicate<String>> slots = new HashMap<>();
    private final List<SessionReplica> noted = new ArrayList<>();
    private final MovedTime time = new MovedTime();
    private final LogLines log = new LogLines("io.understudy.session.failures");
    private final ReplicaStore store =
            new ReplicaStore(time, new Tombstones(Duration.ofHours(24).toMillis(), 1000));
    private final KeptAttributes kept = new KeptAttributes("/shop@node1", store::header, time, noted::add);

    @AfterEach
    void close() {
        log.close();
    }

    private static Why plain(String text) {
        return new Why(Reason.CLASS, "shop.Plain", text, text);
    }

    private static Why tooLarge(String text) {
        return new Why(Reason.TOO_LARGE, "shop.Plain", text, text);
    }

    private SessionKey session(long number) {
        SessionKey key = new SessionKey(number);
        if (store.header(key) == null) {
            store.create(SessionDelta.created(key, new Stamp(number + 1, 1), "id" + number, 1800));
        }
        return key;
    }

    private SessionKey keep(long number, String attribute, Why why) {
        SessionKey key = session(number);
        Set<String> names = unsent.computeIfAbsent(key, each -> new TreeSet<>());
        names.add(attribute);
        kept.found(key, attribute, slots.computeIfAbsent(key, each -> names::contains), why)
                .run();
        return key;
    }

    private void pass(Duration by) {
        time.advance(by);
        kept.look();
    }

    private void expectLines(int begun, int ended) {
        assertEquals(begun, log.with("WARNING", BEGUN).size(), log.with(BEGUN)::toString);
        assertEquals(ended, log.with("INFO", ENDED).size(), log.with(ENDED)::toString);
    }

    @Test
    void aCauseIsLoggedWhenItBeginsAndWhenItEnds() {
        SessionKey first = keep(1, "cart", plain("not serializable"));
        SessionKey second = keep(2, "cart", plain("not serializable"));
        keep(1, "cart", plain("not serializable"));
        kept.look();
        expectLines(1, 0);
        assertTrue(log.with(BEGUN).get(0).contains("/shop@node1 - attribute 'cart' of class shop.Plain"));
        assertEquals(Map.of(Reason.CLASS, 2L), kept.sessions());
        assertEquals(
                List.of(
                        "/shop@node1 - attribute 'cart' is on this node only (class): not serializable; in 2 session(s): "
                                + List.of(first, second)),
                kept.lines());
        pass(MINUTE);
        expectLines(1, 0);

        unsent.get(first).clear();
        store.merge(SessionDelta.invalidated(second), 0, 0);
        kept.look();
        assertEquals(Map.of(), kept.sessions());
        assertEquals(List.of(), kept.lines());
        expectLines(1, 0);
        pass(MINUTE);
        expectLines(1, 1);
        assertTrue(log.with(ENDED).get(0).contains("(class: not serializable)"), log.with(ENDED)::toString);
        pass(MINUTE);
        expectLines(1, 1);
    }

    @Test
    void anotherReasonIsAnotherCause() {
        SessionKey key = keep(1, "cart", plain("not serializable"));
        keep(1, "cart", tooLarge("its 2001 bytes are too many"));
        expectLines(2, 0);
        keep(1, "cart", tooLarge("its 3000 bytes are too many"));
        expectLines(2, 0);
        assertEquals(Map.of(Reason.TOO_LARGE, 1L), kept.sessions());
        pass(MINUTE);
        expectLines(2, 1);
        assertEquals(
                List.of(key), noted.stream().map(SessionReplica::key).distinct().toList());
    }

    @Test
    void aCauseThatComesAndGoesIsLoggedOnceInAnHour() {
        for (int minutes = 0; minutes < 59; minutes++) {
            unsent.getOrDefault(keep(1, "cart", plain("not serializable")), Set.of())
                    .clear();
            pass(MINUTE);
        }
        expectLines(1, 1);
        keep(1, "cart", plain("not serializable"));
        pass(MINUTE);
        expectLines(2, 1);
    }

    @Test
    void namesWithIdentifiersMakeOneCause() {
        for (int i = 0; i < 100; i++) {
            keep(i, "upload." + i, new Why(Reason.CLASS, "shop.Upload$$Lambda/0x00ab" + i, "upload", "upload " + i));
        }
        kept.look();
        expectLines(1, 0);
        assertEquals(100, kept.sessions(Reason.CLASS));
        assertEquals(1, kept.lines().size(), kept.lines()::toString);
    }

    @Test
    void aFewSessionsOfACauseAreNoted() {
        for (int i = 0; i < 1000; i++) {
            keep(i, "cart", plain("not serializable"));
            keep(i, "cart", plain("not serializable"));
        }
        assertEquals(KeptCauses.MAX_NOTED, noted.size());
        assertEquals(
                KeptCauses.MAX_NOTED,
                noted.stream().map(SessionReplica::key).distinct().count());
    }

    @Test
    void thereIsAMostOfCauses() {
        for (char first = 'a'; first <= 'z'; first++) {
            for (char second = 'a'; second <= 'z'; second++) {
                keep(1, "cart " + first + second, plain("not serializable"));
                keep(1, "list " + first + second, plain("not serializable"));
            }
        }
        kept.look();
        expectLines(KeptCauses.MAX_CAUSES, 0);
        assertEquals(100, kept.lines().size());
        unsent.values().forEach(Set::clear);
        pass(MINUTE);
        expectLines(KeptCauses.MAX_CAUSES, KeptCauses.MAX_CAUSES);
        pass(Duration.ofHours(1));
        keep(1, "other", plain("not serializable"));
        expectLines(KeptCauses.MAX_CAUSES + 1, KeptCauses.MAX_CAUSES);
    }

    /** The live session does not know yet that the value is unsent. */
    @Test
    void aReadingDuringACommitForgetsNothing() {
        SessionKey key = session(1);
        Set<String> names = new TreeSet<>();
        slots.put(key, names::contains);
        Runnable count = kept.found(key, "cart", slots.getOrDefault(key, name -> false), plain("not serializable"));
        expectLines(1, 0);
        kept.look();
        assertEquals(Map.of(), kept.sessions());
        names.add("cart");
        count.run();
        assertEquals(Map.of(Reason.CLASS, 1L), kept.sessions());
    }

    @Test
    void aLongTextIsCut() {
        keep(1, "cart", plain("x".repeat(100_000)));
        assertTrue(log.with(BEGUN).get(0).length() < 10_000);
        assertTrue(kept.lines().get(0).length() < 1000);
    }
}
