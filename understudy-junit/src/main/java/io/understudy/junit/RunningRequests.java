package io.understudy.junit;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/** Counts the requests of a server: the client has a response before the code of the application has returned. Threads: any. */
final class RunningRequests extends ValveBase {

    private final Lock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();
    private int running;

    RunningRequests() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        count(1);
        try {
            getNext().invoke(request, response);
        } finally {
            count(-1);
        }
    }

    private void count(int change) {
        lock.lock();
        try {
            running += change;
            none.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no request runs, for that long at most. */
    void awaitNone(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (running > 0 && left > 0) {
                left = none.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
