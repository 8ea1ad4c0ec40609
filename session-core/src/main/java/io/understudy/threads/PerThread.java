package io.understudy.threads;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A value of each thread, which changes with each request. Its place stays with the thread, and only what is in it
 * changes.
 *
 * <p>{@link ThreadLocal#remove} is no alternative. When an application stops, Tomcat has the stale entries of all
 * threads removed by another thread, without a lock ({@code WebappClassLoaderBase.checkThreadLocalsForLeaks}). A thread
 * that removes one of its own just then can meet a {@code NullPointerException}. The search for a place can meet one,
 * too, or miss the place, if entries of other libraries are stale just then. So a request searches once, before it
 * begins, and keeps the place.
 *
 * <p>An empty place holds no class of ours: a thread of the container that outlives an application with this module
 * inside does not keep that.
 *
 * <p>Threads: any.
 */
public final class PerThread<T> {

    @SuppressWarnings("ThreadLocalUsage") // Its owner is in a static field.
    private final ThreadLocal<@Nullable AtomicReference<@Nullable T>> places = new ThreadLocal<>();

    /** The calling thread's value. */
    public @Nullable T get() {
        AtomicReference<@Nullable T> place = places.get();
        return place == null ? null : place.getPlain();
    }

    /**
     * Where the calling thread's value is. A method that changes the value keeps the place, and puts there what was in
     * it before: that cannot fail, unlike the search for the place.
     */
    public AtomicReference<@Nullable T> place() {
        AtomicReference<@Nullable T> place = places.get();
        if (place == null) {
            place = new AtomicReference<>();
            places.set(place);
        }
        return place;
    }
}
