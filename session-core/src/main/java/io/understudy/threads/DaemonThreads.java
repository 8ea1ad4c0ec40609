package io.understudy.threads;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the threads of a node. They are daemons, and keep nothing of the thread that makes them, which may serve a request:
 * not its context class loader, not its inheritable thread locals, and not the classes on its stack. Each of them would hold
 * an application that is undeployed for as long as the thread lives.
 *
 * <p>Threads: any.
 */
public final class DaemonThreads {

    /** From here on a new thread does not remember the classes on its maker's stack (JEP 486). */
    private static final int WITHOUT_CONTEXT = 24;

    private DaemonThreads() {}

    /** A thread that is not started. Its context class loader is the one of this library. */
    public static Thread of(String name, Runnable task) {
        Thread thread = Runtime.version().feature() < WITHOUT_CONTEXT
                ? Privileged.thread(name, task)
                : new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
        return thread;
    }

    /** Threads whose names are {@code name}, a hyphen and a number from 1. */
    public static ThreadFactory numbered(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> of(name + "-" + count.incrementAndGet(), task);
    }

    /** Apart, so that it is not loaded by a JDK that may no longer have these classes. */
    @SuppressWarnings("removal")
    private static final class Privileged {

        static Thread thread(String name, Runnable task) {
            return AccessController.doPrivileged(
                    (PrivilegedAction<Thread>) () -> new Thread(null, task, name, 0, false));
        }
    }
}
