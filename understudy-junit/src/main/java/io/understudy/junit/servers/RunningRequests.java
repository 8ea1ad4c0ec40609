package io.understudy.junit.servers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * The requests of a server that are not over: the client has a response before the code of the application has returned.
 * Threads: any.
 */
final class RunningRequests extends ValveBase {

    private static final String NOTE = "io.understudy.junit.number";

    private final Lock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    /** By number, whether it is asynchronous. */
    @GuardedBy("lock")
    private final Map<String, Boolean> running = new HashMap<>();

    RunningRequests() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        String number = request.getHeader(TomcatServer.REQUEST_NUMBER);
        if (number != null) {
            request.getCoyoteRequest().getMimeHeaders().removeHeader(TomcatServer.REQUEST_NUMBER);
            request.setNote(NOTE, number); // An asynchronous request that is dispatched comes here once more.
        } else if (request.getNote(NOTE) instanceof String noted) {
            number = noted;
        }
        if (number == null) {
            getNext().invoke(request, response);
            return;
        }
        begun(number, false);
        try {
            getNext().invoke(request, response);
        } finally {
            if (!request.isAsync() || !endsLater(request, number)) {
                over(number);
            }
        }
    }

    /** Whether an asynchronous request will report its end. It does when Understudy has committed: its listener is older. */
    private boolean endsLater(Request request, String number) {
        begun(number, true);
        try {
            request.getAsyncContextInternal().addListener(new End(number));
            return true;
        } catch (IllegalStateException e) {
            return false; // It is over.
        }
    }

    /** Waits for the end of an asynchronous request. */
    private final class End implements AsyncListener {

        private final String number;

        End(String number) {
            this.number = number;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            over(number);
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }

    private void begun(String number, boolean asynchronous) {
        lock.lock();
        try {
            running.put(number, asynchronous);
        } finally {
            lock.unlock();
        }
    }

    private void over(String number) {
        lock.lock();
        try {
            running.remove(number);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether a request is not over and no thread of the server is busy with it. */
    boolean asynchronous(String number) {
        lock.lock();
        try {
            return running.getOrDefault(number, false);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the end of a request, for that long at most.
     *
     * @return whether it is over
     */
    boolean await(String number, Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (running.containsKey(number) && left > 0) {
                left = ended.awaitNanos(left);
            }
            return !running.containsKey(number);
        } finally {
            lock.unlock();
        }
    }
}
