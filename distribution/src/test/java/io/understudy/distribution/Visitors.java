package io.understudy.distribution;

import io.understudy.testkit.Browser;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Browsers that put things into carts until they leave, whatever the answer is. */
final class Visitors {

    private static final int COUNT = 4;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** A visitor stays for so many requests; the next one has a session, and connections, of its own. */
    private static final int STAY = 20;

    private final Node node;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    Visitors(Node node) {
        this.node = node;
        for (int i = 0; i < COUNT; i++) {
            Thread thread = new Thread(this::visit, "visitor-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void visit() {
        while (!over) {
            Browser browser = new Browser();
            for (int i = 0; i < STAY && !over; i++) {
                var unused = browser.send(node, "/shop/cart.jsp?item=" + i);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    void leave() throws InterruptedException {
        over = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
