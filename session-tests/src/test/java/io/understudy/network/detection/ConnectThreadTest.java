package io.understudy.network.detection;

import io.understudy.testkit.Await;
import java.util.concurrent.atomic.AtomicInteger;
import org.jgroups.util.DefaultThreadFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The thread that connects to the next member, which gives no answer. */
@Tag("cluster")
class ConnectThreadTest {

    private static final class Unanswered implements ConnectThread.Connector {

        private final AtomicInteger attempts = new AtomicInteger();
        private final AtomicInteger outOfReach = new AtomicInteger();

        @Override
        public boolean unconnected() {
            return true;
        }

        @Override
        public void connectAgain() {
            attempts.incrementAndGet();
        }

        @Override
        public void outOfReach() {
            outOfReach.incrementAndGet();
        }

        @Override
        public void failed(Throwable why) {
            throw new AssertionError(why);
        }
    }

    /** A firewall that is opened later lets the connection through. */
    @Test
    void itAsksOnAlthoughTheMemberIsOutOfReach() {
        Unanswered next = new Unanswered();
        ConnectThread thread = new ConnectThread(new DefaultThreadFactory("connects", true), next, 1);
        try {
            thread.view(() -> {});
            Await.until(
                    Await.LIMIT,
                    () -> next.attempts + " attempts",
                    () -> next.outOfReach.get() > 0 && next.attempts.get() > 20);
        } finally {
            thread.stop();
        }
    }
}
