package io.understudy.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.understudy.testkit.Beside;
import io.understudy.threads.PerThread;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tomcat removes the stale entries of all threads when an application stops, while they work for others. */
@Tag("rules")
class StaleThreadLocalsTest {

    private static final int REQUESTS = 300_000;

    private final PerThread<Integer> current = new PerThread<>();

    @Test
    void requestsGoOnWhileTomcatRemovesThem() throws Exception {
        Exchanger<Thread> started = new Exchanger<>();
        CompletableFuture<Void> requests = Beside.run(() -> {
            try {
                started.exchange(Thread.currentThread(), 1, TimeUnit.MINUTES);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            for (int i = 0; i < REQUESTS; i++) {
                request(i);
            }
        });
        Thread thread = started.exchange(Thread.currentThread(), 1, TimeUnit.MINUTES);
        Method remove = Class.forName("java.lang.ThreadLocal$ThreadLocalMap").getDeclaredMethod("expungeStaleEntries");
        remove.setAccessible(true);
        Field locals = Thread.class.getDeclaredField("threadLocals");
        locals.setAccessible(true);
        while (!requests.isDone()) {
            Object map = locals.get(thread);
            if (map != null) {
                remove.invoke(map); // As WebappClassLoaderBase.checkThreadLocalsForLeaks does, and no other way.
            }
        }
        requests.get();
    }

    private void request(int number) {
        AtomicReference<Integer> place = current.place();
        Integer outer = place.getPlain();
        place.setPlain(number);
        assertEquals(number, current.get());
        place.setPlain(outer);
    }
}
