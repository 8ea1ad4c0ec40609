package io.understudy.testkit.faults;

import io.understudy.testkit.faults.Disturbance.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * A protocol right above the transport of one node that disturbs what arrives there, messages of the
 * group's own business too. It leaves FD_SOCK2's sockets alone, as they bypass the stack.
 *
 * <p>Threads: any; delayed messages arrive on threads of its own, in any order.
 */
final class FAULTS extends Protocol {

    private static final int THREADS = 3;

    private final String node;
    private final Map<Fault, Disturbance> faults;
    private final Map<Fault, List<Message>> held = new ConcurrentHashMap<>();
    private final ScheduledExecutorService later = Executors.newScheduledThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "faults");
        thread.setDaemon(true);
        return thread;
    });

    /** A protocol that looks at the faults of the moment. */
    FAULTS(String node, Map<Fault, Disturbance> faults) {
        this.node = node;
        this.faults = faults;
    }

    @Override
    public @Nullable Object up(Message message) {
        String from = Disturbance.name(message.src());
        Fate fate = Disturbance.ARRIVES;
        for (Map.Entry<Fault, Disturbance> fault : faults.entrySet()) {
            Fate one = fault.getValue().fate(message, from, node);
            if (one.held() && hold(fault.getKey(), message)) {
                return null;
            }
            fate = fate.and(one);
        }
        Object result = null;
        for (int copy = 0; copy < fate.copies(); copy++) {
            Message arriving = copy == 0 ? message : message.copy(true, true);
            if (fate.delayMillis() == 0) {
                result = up_prot.up(arriving);
            } else {
                deliver(arriving, fate.delayMillis());
            }
        }
        return result;
    }

    @Override
    public void up(MessageBatch batch) {
        for (Message message : batch) {
            up(message);
        }
    }

    private void deliver(Message message, long delayMillis) {
        try {
            ScheduledFuture<?> unused = later.schedule(() -> up_prot.up(message), delayMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.trace("%s: stopped, a delayed message is lost", node);
        }
    }

    private boolean hold(Fault fault, Message message) {
        List<Message> waiting = held.computeIfAbsent(fault, key -> new ArrayList<>());
        synchronized (waiting) {
            return faults.containsKey(fault) && waiting.add(message);
        }
    }

    /** A fault has ended: what it held arrives, in order. */
    void ended(Fault fault) {
        List<Message> waiting = held.remove(fault);
        if (waiting != null) {
            synchronized (waiting) {
                later.execute(() -> waiting.forEach(up_prot::up));
            }
        }
    }

    @Override
    public void destroy() {
        later.shutdownNow();
        super.destroy();
    }
}
