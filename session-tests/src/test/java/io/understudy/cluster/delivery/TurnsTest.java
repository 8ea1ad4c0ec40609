package io.understudy.cluster.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.understudy.testkit.Await;
import io.understudy.testkit.Beside;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("rules")
@Timeout(300)
class TurnsTest {

    /** Longer than the test: only a wake ends it. */
    private static final long NEVER = 3_600_000;

    private final Turns turns = new Turns();
    private final AtomicReference<Thread> sender = new AtomicReference<>();

    private @Nullable Runnable await(long limitMillis) {
        sender.set(Thread.currentThread());
        try {
            return turns.await(limitMillis);
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    private CompletableFuture<Runnable> asleep() {
        CompletableFuture<Runnable> first = Beside.get(() -> await(NEVER));
        Await.until(Await.LIMIT, () -> "the sender does not sleep", () -> {
            Thread thread = sender.get();
            return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
        });
        return first;
    }

    private static <T> T ended(CompletableFuture<T> future) {
        return future.orTimeout(Await.LIMIT.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    @Test
    void aWakeEndsTheWait() {
        CompletableFuture<Runnable> first = asleep();
        Runnable turn = () -> {};
        turns.add(turn);
        turns.wake();
        assertSame(turn, ended(first));
    }

    @Test
    void aWakeWithoutATurnDoesNot() {
        CompletableFuture<Runnable> first = asleep();
        turns.wake();
        Runnable turn = () -> {};
        turns.add(turn);
        turns.wake();
        assertSame(turn, ended(first));
    }

    @Test
    void withoutATurnItEndsAtItsLimit() {
        assertNull(await(1));
    }

    @Test
    void anInterruptEndsIt() {
        CompletableFuture<Runnable> first = asleep();
        sender.get().interrupt();
        assertInstanceOf(
                InterruptedException.class,
                assertThrows(CompletionException.class, () -> ended(first)).getCause());
    }

    @Test
    void turnsComeInTheirOrderAndNoMoreThanAsked() {
        List<Runnable> added = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Runnable turn = new Runnable() {
                @Override
                public void run() {}
            };
            added.add(turn);
            turns.add(turn);
        }
        assertSame(added.get(0), await(NEVER));
        List<Runnable> taken = new ArrayList<>();
        turns.drainTo(taken, 3);
        assertEquals(added.subList(1, 4), taken);
    }

    /** Each adds, wakes, and waits for its turn: of one adder no wake may be lost, as nobody else wakes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void noWakeIsLost(int adders) {
        int each = 20_000;
        CompletableFuture<Void> sending = Beside.run(() -> {
            List<Runnable> more = new ArrayList<>();
            for (int taken = 0; taken < adders * each; taken += 1 + more.size(), more.clear()) {
                Runnable first = await(NEVER);
                turns.drainTo(more, 8);
                first.run();
                more.forEach(Runnable::run);
            }
        });
        Runnable adding = () -> {
            for (int i = 0; i < each; i++) {
                CompletableFuture<Void> taken = new CompletableFuture<>();
                turns.add(() -> taken.complete(null));
                turns.wake();
                taken.join();
            }
        };
        Beside.all(Collections.nCopies(adders, adding).toArray(Runnable[]::new));
        ended(sending);
    }
}
