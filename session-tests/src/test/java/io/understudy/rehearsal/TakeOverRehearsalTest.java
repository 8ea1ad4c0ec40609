package io.understudy.rehearsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.Counter;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.store.ReplicaStore;
import io.understudy.testkit.Await;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When rounds begin, what they decode, and what they do about values that fail, cost much or do not return. */
@Tag("rules")
class TakeOverRehearsalTest extends Rounds {

    private static final class OddException extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw new IllegalStateException("has no text");
        }

        @Override
        public String getMessage() {
            throw new IllegalStateException("has no message");
        }
    }

    @Test
    void eachChangeIsRehearsedOnce() {
        SessionKey changed = session(OTHER, "x", "y");
        session(OTHER, "z");
        for (int i = 0; i < 5; i++) {
            round();
        }
        assertEquals(List.of("x", "y", "z"), codec.rehearsed.stream().sorted().toList());
        write(store, changed, OTHER, "a1", "y2");
        codec.rehearsed.clear();
        for (int i = 0; i < 5; i++) {
            round();
        }
        assertEquals(List.of("x", "y2"), codec.rehearsed);
        assertEquals(5, metrics.value(Counter.REHEARSALS));
        store.merge(SessionDelta.touched(changed, new Stamp(stamps++, OTHER)), 0, 0);
        round();
        assertEquals(5, metrics.value(Counter.REHEARSALS), "a use changes no attribute");
    }

    @Test
    void aValueIsDecodedWithTheLoaderOfItsApplication() {
        session(OTHER, "x");
        List<ClassLoader> seen = new ArrayList<>();
        codec.doing.put("x", () -> seen.add(Thread.currentThread().getContextClassLoader()));
        round();
        assertEquals(List.of(loader), seen);
    }

    @Test
    void ownAndLeftOutAttributesAreNotRehearsed() {
        session(SELF, "own");
        SessionKey key = session(OTHER, "other");
        write(store, key, OTHER, "left out", "container's");
        store.merge(SessionDelta.invalidated(session(OTHER, "over")), 0, 0);
        round();
        assertEquals(List.of("other"), codec.rehearsed);
    }

    @Test
    void aRoundBeginsEveryQuarterOfAMinute() {
        session(OTHER, "x");
        rehearsal.tick();
        time.advance(ROUND.minusMillis(1));
        rehearsal.tick();
        assertEquals(List.of(), codec.rehearsed);
        time.advance(Duration.ofMillis(1));
        rehearsal.tick();
        assertEquals(List.of("x"), codec.rehearsed);
    }

    @Test
    void whateverAClassThrowsIsSurvived() {
        List.of(
                        new OddException(),
                        new IllegalStateException(),
                        new Error("own"),
                        new OutOfMemoryError("heap"),
                        new StackOverflowError(),
                        new InternalError(),
                        new ThreadDeath(),
                        new AssertionError())
                .forEach(thrown -> {
                    codec.doing.put(thrown.getClass().getName(), () -> sneak(thrown));
                    session(OTHER, thrown.getClass().getName());
                });
        session(OTHER, "good");
        round();
        assertEquals(9, codec.rehearsed.size(), codec.rehearsed.toString());
        assertEquals(8, rehearsal.failing(RehearsalReason.FAILED));
        assertEquals(8, metrics.value(Counter.REHEARSALS_FAILED));
        assertTrue(rehearsal.healthy());
    }

    @Test
    void whatAValueDoesToItsThreadConcernsNoOther() {
        session(OTHER, "rude", "x");
        codec.doing.put("rude", () -> {
            Thread.currentThread().interrupt();
            Thread.currentThread().setContextClassLoader(null);
        });
        codec.doing.put("x", () -> {
            assertFalse(Thread.currentThread().isInterrupted());
            assertSame(loader, Thread.currentThread().getContextClassLoader());
        });
        round();
        assertEquals(List.of("rude", "x"), codec.rehearsed);
        assertEquals(0, failing());
    }

    /** By the processor time of the thread, however much else the machine does. */
    @Test
    void whatRoundsUseOfAProcessorIsTheShare() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        AtomicLong used = new AtomicLong();
        double share = 0.5 / 100;
        rehearsal = new TakeOverRehearsal(
                "node1",
                0.5,
                time,
                metrics,
                (what, cause) -> survived.add(cause),
                threads::getCurrentThreadCpuTime,
                (name, task) -> {
                    double earned = share * TimeUnit.MILLISECONDS.toNanos(time.monotonicMillis());
                    assertTrue(used.get() <= 1.1 * earned, () -> used + " ns of " + earned);
                    long begin = threads.getCurrentThreadCpuTime();
                    task.run();
                    used.addAndGet(threads.getCurrentThreadCpuTime() - begin);
                });
        rehearsal.add(shop);
        for (int i = 0; i < 2000; i++) {
            session(OTHER, "costly" + i);
            codec.doing.put("costly" + i, () -> {
                long end = threads.getCurrentThreadCpuTime() + TimeUnit.MILLISECONDS.toNanos(1);
                while (threads.getCurrentThreadCpuTime() < end) {
                    Thread.onSpinWait();
                }
            });
        }
        for (int i = 0; i < 8; i++) {
            round();
        }
        double earned = share * TimeUnit.MILLISECONDS.toNanos(time.monotonicMillis());
        assertTrue(used.get() > earned / 2, () -> used + " ns of " + earned);
        assertTrue(used.get() <= 1.1 * earned, () -> used + " ns of " + earned);
    }

    @Test
    void theBudgetHoldsWhateverAValueCosts() {
        rehearsal.close();
        rehearsal = rehearsal(0.5);
        for (int i = 0; i < 500; i++) {
            codec.doing.put("costly" + i, () -> processorNanos += TimeUnit.SECONDS.toNanos(1));
            session(OTHER, "costly" + i);
        }
        int hours = 3;
        for (int i = 0; i < hours * 240; i++) {
            round();
        }
        long most = hours * 18L + 1;
        assertTrue(codec.rehearsed.size() <= most, () -> codec.rehearsed.size() + " s of a processor");
        assertTrue(codec.rehearsed.size() >= most - 2, () -> codec.rehearsed.size() + " s of a processor");
    }

    @Test
    void aRoundIsBoundedInTimeThatIsNotUsedByTheProcessorToo() {
        for (int i = 0; i < 100; i++) {
            codec.doing.put("slow" + i, () -> time.advance(Duration.ofSeconds(1)));
            session(OTHER, "slow" + i);
        }
        round();
        assertEquals(5, codec.rehearsed.size(), "one second each");
        assertTrue(rehearsal.healthy());
    }

    @Test
    void whatDoesNotReturnStopsTheRoundsAndIsSaid() {
        SessionKey key = session(OTHER, "stuck");
        codec.doing.put("stuck", () -> {
            time.advance(Duration.ofMillis(TakeOverRehearsal.STUCK_MILLIS - 1));
            rehearsal.tick();
            assertTrue(rehearsal.healthy());
            time.advance(Duration.ofMillis(1));
            rehearsal.tick();
            assertTrue(rehearsal.healthy(), "this process may have paused");
            rehearsal.tick();
            assertFalse(rehearsal.healthy());
            assertEquals(1, rehearsal.failing(RehearsalReason.STUCK));
            assertTrue(
                    rehearsal.complaint().contains("stands still in attribute 'a0' of /shop"), rehearsal.complaint());
            assertTrue(
                    rehearsal.failures().get(0).contains(key.toString()),
                    rehearsal.failures().toString());
            assertEquals(1, log.with("WARNING", "attribute 'a0'", "stuck").size());
            session(OTHER, "later");
            for (int i = 0; i < 10; i++) {
                round();
            }
            assertEquals(List.of("stuck"), codec.rehearsed, "no other round begins");
        });
        round();
        assertEquals(1, metrics.value(Counter.REHEARSALS_STUCK));
        round();
        assertTrue(rehearsal.healthy());
        assertEquals(1, log.with("INFO", "goes on after attribute 'a0'").size());
        assertEquals(List.of("stuck", "later"), codec.rehearsed, "and the one that was stuck is not tried again");
        assertEquals(1, rehearsal.failing(RehearsalReason.STUCK), "a request would have waited as long");
    }

    @Test
    void aPauseOfTheProcessMakesNothingStuck() {
        session(OTHER, "slow");
        codec.doing.put("slow", () -> {
            time.advance(Duration.ofMinutes(1));
            rehearsal.tick();
        });
        round();
        round();
        assertTrue(rehearsal.healthy());
        assertEquals(0, failing());
        assertEquals(List.of(), log.with("take-over rehearsal"));
    }

    @Test
    void aRoundThatDoesNotReturnHoldsNoOtherApplicationThatIsUndeployed() {
        List<RehearsedApplication> books = new ArrayList<>(List.of(application("/books", new Codec(), store())));
        WeakReference<Object> codecOfBooks =
                new WeakReference<>(books.get(0).deployment().codec());
        rehearsal.add(books.get(0));
        session(OTHER, "stuck");
        codec.doing.put("stuck", () -> {
            rehearsal.remove(books.remove(0));
            Await.that("the codec is collected", () -> {
                System.gc();
                return codecOfBooks.get() == null;
            });
        });
        round();
        assertEquals(List.of("stuck"), codec.rehearsed);
        assertEquals(0, failing());
    }

    @Test
    void undeployingWhatDoesNotReturnLetsOthersGoOn() {
        ReplicaStore books = store();
        Codec booksCodec = new Codec();
        session(OTHER, "stuck");
        session(OTHER, "after it");
        session(books, OTHER, "book");
        codec.doing.put("stuck", () -> {
            time.advance(Duration.ofMillis(TakeOverRehearsal.STUCK_MILLIS));
            rehearsal.tick();
            rehearsal.tick();
            assertFalse(rehearsal.healthy());
            rehearsal.add(application("/books", booksCodec, books));
            rehearsal.remove(shop);
            round();
            assertTrue(rehearsal.healthy());
            assertEquals(List.of("book"), booksCodec.rehearsed);
        });
        while (!codec.rehearsed.contains("stuck")) {
            round();
        }
        int rehearsed = codec.rehearsed.size();
        round();
        round();
        assertEquals(rehearsed, codec.rehearsed.size(), "the application is gone");
        assertEquals(List.of("book"), booksCodec.rehearsed);
        assertNull(rehearsal.complaint());
    }

    @Test
    void aNodeThatGetsNoThreadTriesAgain() {
        session(OTHER, "x");
        boolean[] full = {true};
        rehearsal = new TakeOverRehearsal(
                "node1", 100, time, metrics, (what, cause) -> survived.add(cause), () -> 0, (name, task) -> {
                    if (full[0]) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    task.run();
                });
        rehearsal.add(shop);
        assertThrows(OutOfMemoryError.class, this::round, "who calls it reports that");
        full[0] = false;
        round();
        assertEquals(List.of("x"), codec.rehearsed);
    }

    @Test
    void whatIsClosedBeginsNoRound() {
        session(OTHER, "x");
        rehearsal.close();
        round();
        assertEquals(List.of(), codec.rehearsed);
    }
}
