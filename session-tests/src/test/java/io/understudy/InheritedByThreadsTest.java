package io.understudy;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.network.stack.StackCustomizer;
import io.understudy.testkit.Await;
import io.understudy.testkit.ChildFirst;
import io.understudy.testkit.LoopbackCluster;
import io.understudy.testkit.MovedTime;
import io.understudy.threads.DaemonThreads;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jgroups.protocols.TP;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that is made in a request of an application lives on when the application is undeployed, and holds nothing of it. */
@Tag("cluster")
@Timeout(300)
class InheritedByThreadsTest {

    private static final InheritableThreadLocal<Object> INHERITED = new InheritableThreadLocal<>();

    /** Is on the stack, as the class of a servlet is. */
    public static final class Application implements Consumer<Runnable> {
        @Override
        public void accept(Runnable library) {
            library.run();
        }
    }

    @Test
    void oneOfANode() throws Exception {
        holdsNothing(task -> DaemonThreads.of("made", task).start());
    }

    @Test
    void oneOfJGroups() throws Exception {
        AtomicReference<TP> transport = new AtomicReference<>();
        StackCustomizer reading = protocols -> {
            transport.set((TP) protocols.get(0));
            return protocols;
        };
        Understudy node = NodeStart.start(LoopbackCluster.configs(1).get(0), new MovedTime(), reading);
        try {
            holdsNothing(transport.get().getThreadPool()::execute);
            holdsNothing(task ->
                    transport.get().getThreadFactory().newThread(task, "made").start());
        } finally {
            node.close();
        }
    }

    private void holdsNothing(Executor maker) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        AtomicReference<Thread> made = new AtomicReference<>();
        WeakReference<ClassLoader> loader = request(() -> maker.execute(() -> {
            made.set(Thread.currentThread());
            begun.countDown();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        begun.await();
        Await.until(Await.LIMIT, () -> "the class loader of the application is held", () -> {
            System.gc();
            return loader.get() == null;
        });
        assertTrue(made.get().isAlive());
        over.countDown();
    }

    /** In a thread of its own, which is over then, as is all that knows the loader. */
    private static WeakReference<ClassLoader> request(Runnable library) throws Exception {
        String name = Application.class.getName();
        AtomicReference<ClassLoader> loader = new AtomicReference<>(
                new ChildFirst(List.of(ChildFirst.place(Application.class)), List.of(name), List.of()));
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread request = new Thread(() -> {
            try {
                Class<?> own = loader.get().loadClass(name);
                assertNotSame(Application.class, own);
                @SuppressWarnings("unchecked")
                Consumer<Runnable> servlet =
                        (Consumer<Runnable>) own.getConstructor().newInstance();
                INHERITED.set(servlet);
                servlet.accept(library);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
        request.setContextClassLoader(loader.get());
        request.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
        request.start();
        request.join();
        assertNull(failure.get());
        return new WeakReference<>(loader.getAndSet(null));
    }
}
