package io.understudy.benchmarks.lanes;

import io.understudy.network.stack.Stacks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * What JGroups' own SCOPE (2.10 to 3.x) did: messages that arrive in the order of their sender are put into a queue per
 * session, and a pool works on the queues, one thread at a time on each. To compare with; it sits where ours sits.
 */
final class Stripes extends Protocol {

    private static final class Stripe {
        private final Queue<Message> queue = new ArrayDeque<>();
        private boolean taken;
    }

    private final Map<Long, Stripe> stripes = new ConcurrentHashMap<>();
    private @Nullable ExecutorService workers;

    @Override
    public void start() throws Exception {
        super.start();
        int threads = Math.max(2, Runtime.getRuntime().availableProcessors()); // As ours.
        workers = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "stripes");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void stop() {
        if (workers != null) {
            workers.shutdown();
        }
        super.stop();
    }

    @Override
    public @Nullable Object up(Message message) {
        Stacks.Place place = Stacks.place(message);
        if (place == null) {
            return up_prot.up(message);
        }
        enqueue(place.scope(), message);
        return null;
    }

    @Override
    public void up(MessageBatch batch) {
        for (var messages = batch.iterator(); messages.hasNext(); ) {
            Message message = messages.next();
            Stacks.Place place = Stacks.place(message);
            if (place != null) {
                messages.remove();
                enqueue(place.scope(), message);
            }
        }
        if (!batch.isEmpty()) {
            up_prot.up(batch);
        }
    }

    private void enqueue(long scope, Message message) {
        Stripe stripe = stripes.computeIfAbsent(scope, key -> new Stripe());
        synchronized (stripe) {
            stripe.queue.add(message);
            if (stripe.taken) {
                return;
            }
            stripe.taken = true;
        }
        if (workers != null) {
            workers.execute(() -> deliver(stripe));
        }
    }

    private void deliver(Stripe stripe) {
        while (true) {
            List<Message> messages;
            synchronized (stripe) {
                if (stripe.queue.isEmpty()) {
                    stripe.taken = false;
                    return;
                }
                messages = new ArrayList<>(stripe.queue);
                stripe.queue.clear();
            }
            messages.forEach(up_prot::up);
        }
    }
}
