package io.understudy.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
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

    /** When a member that gave no answer is asked again, in milliseconds; then after twice the time, and so on. */
    private static final long AGAIN_MILLIS = 1000;

    /** A member that gave none until then is out of reach of these connections. */
    private static final long LAST_MILLIS = 16 * AGAIN_MILLIS;

    private volatile @Nullable ScheduledExecutorService connecting;

    DETACHED_FD_SOCK2() {
        setId(ClassConfigurator.getProtocolId(FD_SOCK2.class));
        req_handler.setHandler(request -> {
            ScheduledExecutorService thread = connecting;
            if (thread != null) {
                awaitShortly(thread.submit(() -> {
                    connect(() -> handle(request));
                    again(thread, AGAIN_MILLIS);
                }));
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

    /**
     * On a busy machine two members may make connections to each other at the same moment nevertheless, and FD_SOCK2 asks
     * once for each view: the next member would be watched by heartbeats only.
     */
    private void again(ScheduledExecutorService thread, long after) {
        if (after <= LAST_MILLIS && unconnected()) {
            Future<?> unused = thread.schedule(
                    () -> {
                        connect(this::connectAgain);
                        again(thread, 2 * after);
                    },
                    after,
                    TimeUnit.MILLISECONDS);
        }
    }

    private boolean unconnected() {
        return members.size() > 1 && !getClientState().equals("CONNECTED");
    }

    private void connectAgain() {
        Address next = members.getNext(local_addr);
        if (unconnected() && next != null && !next.equals(local_addr) && connectTo(next, members)) {
            pingable_mbrs.add(next);
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
        connecting = new ScheduledThreadPoolExecutor(1, getThreadFactory(), new DiscardPolicy());
        super.start();
    }

    @Override
    public void stop() {
        ScheduledExecutorService thread = connecting;
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
