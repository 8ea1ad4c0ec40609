package io.understudy.threads;

/**
 * Runs work with another context class loader of the thread.
 *
 * <p>Threads: any.
 */
public final class ContextLoader {

    private ContextLoader() {}

    /** The thread has its own again afterwards. Throws what the work throws. */
    public static void during(ClassLoader loader, Runnable work) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            work.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
