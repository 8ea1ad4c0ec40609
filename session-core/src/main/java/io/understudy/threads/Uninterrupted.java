package io.understudy.threads;

/**
 * Waits that an interrupt does not shorten. Containers interrupt their threads when they stop, and a thread of an
 * application may be interrupted at any time: what others rely on is waited for all the same. The thread is interrupted
 * again afterwards.
 *
 * <p>Threads: any.
 */
public final class Uninterrupted {

    /** A wait with a result. */
    @FunctionalInterface
    public interface Wait<T> {
        T await() throws InterruptedException;
    }

    /** A wait without one. */
    @FunctionalInterface
    public interface Step {
        void await() throws InterruptedException;
    }

    private Uninterrupted() {}

    /** @param wait called again after each interrupt; one with a limit has to know what is left of that */
    public static <T> T get(Wait<T> wait) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The same for a wait without a result. */
    public static void run(Step step) {
        boolean unused = get(() -> {
            step.await();
            return true;
        });
    }
}
