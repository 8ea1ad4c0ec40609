package io.understudy.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jgroups.Address;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.IpAddress;
import org.jspecify.annotations.Nullable;

/**
 * FD_SOCK2 that does not hold up views.
 *
 * <p>With each view FD_SOCK2 connects to the next member, in the thread that installs the view. A member that is cut off
 * answers none of its four ports, and each is waited for: 4 s for each such member, in which the view is not passed on, and
 * nothing else that came from its sender. As members that are cut off seldom are suspected all at once, the first view
 * without one of them mostly has another one in it, so after a split requests waited for twice as long as failure detection
 * takes.
 *
 * <p>Here one thread of its own connects, and a view waits for it 200 ms at most. It does not go on with a member that is in the view no more, and a member whose
 * connection broke is told of before the next one is looked for.
 *
 * <p>On the wire it is FD_SOCK2. Threads: as FD_SOCK2, and one more.
 */
final class DETACHED_FD_SOCK2 extends FD_SOCK2 {

    /**
     * How long a view waits, in milliseconds; members that are well are connected by then. Members take over a view one after
     * the other: if each goes on when it is connected, no two make connections to each other at the same moment, of which one
     * is closed, and the question in it is lost.
     */
    private static final long WAIT_MILLIS = 200;

    private volatile @Nullable ExecutorService connecting;

    DETACHED_FD_SOCK2() {
        setId(ClassConfigurator.getProtocolId(FD_SOCK2.class));
        req_handler.setHandler(request -> {
            ExecutorService thread = connecting;
            if (thread != null) {
                awaitShortly(thread.submit(() -> connect(() -> handle(request))));
            }
        });
    }

    private interface Work {
        void run() throws Exception;
    }

    private void connect(Work work) {
        try {
            work.run();
        } catch (Exception e) {
            log.warn(local_addr + ": the next member is watched by heartbeats only, until the next view", e);
        }
    }

    private static void awaitShortly(Future<?> connected) {
        try {
            connected.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException | CancellationException e) {
            return; // The view goes on without it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void start() throws Exception {
        connecting = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), getThreadFactory(), new DiscardPolicy());
        super.start();
    }

    @Override
    public void stop() {
        ExecutorService thread = connecting;
        if (thread != null) {
            thread.shutdownNow();
        }
        super.stop();
    }

    @Override
    protected void connectToNextPingDest(@Nullable Address broken) {
        if (broken != null) {
            broadcastSuspectMessage(List.of(broken));
        }
        super.connectToNextPingDest(null);
    }

    @Override
    protected boolean connectTo(IpAddress port, Address member) {
        return members.contains(member) && super.connectTo(port, member);
    }

    /** Who is in the view no more is nobody's business: it would be suspected again when it is back. */
    @Override
    protected void broadcastSuspectMessage(List<Address> suspects) {
        List<Address> present = new ArrayList<>(suspects); // Changed by who receives it, this member too.
        present.removeIf(suspect -> !members.contains(suspect));
        super.broadcastSuspectMessage(present);
    }
}
