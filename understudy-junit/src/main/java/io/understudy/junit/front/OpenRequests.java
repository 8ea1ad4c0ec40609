package io.understudy.junit.front;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.junit.servers.TomcatServer;
import io.understudy.junit.sites.Site;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one run that are not noted yet. A request begins when those whose response is over are noted: it finds
 * their changes on each node. It does not wait for responses that are under way. Threads: any.
 */
final class OpenRequests {

    /** Above what noting one takes at most: the end of the application's code, and of replication. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<OpenRequest> open = new ArrayList<>();

    @GuardedBy("lock")
    private int requests;

    @GuardedBy("lock")
    private long moment;

    /**
     * A request arrives.
     *
     * @param session the id that the client sent; {@code null} if it has none
     */
    OpenRequest begin(Site site, String method, String target, @Nullable String session) throws InterruptedException {
        lock.lock();
        try {
            awaitNoted();
            requests++;
            OpenRequest beside = null;
            for (OpenRequest each : open) {
                if (each.of(session) && each.waits()) {
                    beside = each;
                }
            }
            TomcatServer node = beside != null ? beside.node() : site.next(requests, open.isEmpty());
            OpenRequest request = new OpenRequest(requests, method, target, node, session, ++moment);
            open.add(request);
            return request;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A response is over, as far as the client gets it.
     *
     * @param whole whether it came to its end
     */
    void ended(OpenRequest request, boolean whole) {
        lock.lock();
        try {
            request.ended(++moment, whole);
        } finally {
            lock.unlock();
        }
    }

    /** Whether no other request of the session is running, so that its attributes are those after this request. */
    boolean alone(OpenRequest request, String session) {
        lock.lock();
        try {
            return open.stream().noneMatch(each -> each != request && each.of(session) && each.waits());
        } finally {
            lock.unlock();
        }
    }

    /** A request is noted. */
    void noted(OpenRequest request) {
        lock.lock();
        try {
            open.remove(request);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until those whose response is over are noted, and returns the others. */
    List<OpenRequest> rest() throws InterruptedException {
        lock.lock();
        try {
            awaitNoted();
            return open.stream().filter(each -> !each.over()).toList();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void awaitNoted() throws InterruptedException {
        long left = LIMIT.toNanos();
        while (left > 0 && open.stream().anyMatch(OpenRequest::over)) {
            left = changed.awaitNanos(left);
        }
    }
}
