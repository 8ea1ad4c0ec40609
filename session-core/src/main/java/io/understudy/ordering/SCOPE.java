package io.understudy.ordering;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.annotations.MBean;
import org.jgroups.annotations.ManagedAttribute;
import org.jgroups.annotations.Property;
import org.jgroups.conf.AttributeType;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages of one scope in the order their origin numbered them, and different scopes in parallel: a slow, large
 * or lost message of one scope does not delay another.
 *
 * <p>The heir of JGroups' own SCOPE (2.10 to 3.x, JGRP-822, removed by JGRP-2006), which sat on top of FIFO delivery, so
 * that one lost packet stalled every scope of its sender. Here messages travel out-of-band, are delivered past gaps by
 * the reliable multicast below, and get their order back from numbers of this protocol.
 *
 * <p>Has to sit below the flow control, so that credits go back when a message was handled, and above fragmentation,
 * which keeps headers in the first fragment only.
 *
 * <p>Threads: {@code up} on JGroups' threads, never blocking; messages go on upwards on a fixed pool, one worker at a time
 * per scope. Messages without a {@link ScopeHeader} pass on the thread they came on. Public as JGroups instantiates it.
 */
@MBean(description = "Order per scope over out-of-band messages, scopes in parallel")
public final class SCOPE extends Protocol {

    /** Identifies this protocol on the wire; JGroups leaves 512 and above to users. */
    public static final short ID = 4200;

    static {
        ClassConfigurator.addProtocol(ID, SCOPE.class);
        ClassConfigurator.addIfAbsent(ScopeHeader.MAGIC, ScopeHeader.class);
        ClassConfigurator.addIfAbsent(ScopesHeader.MAGIC, ScopesHeader.class);
    }

    /** Scopes that heard nothing between two sweeps, in milliseconds, are freed; far above the time a message may be late. */
    private static final long SWEEP_MILLIS = 10_000;

    @Property(
            description =
                    "How long a message waits for an earlier one of its scope; 5 times the retransmission interval",
            type = AttributeType.TIME)
    private long gap_timeout = 500;

    @Property(
            description = "Bytes held in one scope, above which it no longer waits for a missing message",
            type = AttributeType.BYTES)
    private long max_held_bytes = 256 << 10;

    @Property(
            description = "Bytes held over all scopes, above which no message waits for a missing one",
            type = AttributeType.BYTES)
    private long max_held_total = 16 << 20;

    @Property(description = "Threads that deliver scopes")
    private int threads = Math.max(2, Runtime.getRuntime().availableProcessors());

    private final AtomicLong counter = new AtomicLong();
    private final Map<Long, Long> lastNumbers = new ConcurrentHashMap<>();
    private final Map<Address, ScopeOrder<Message>> origins = new ConcurrentHashMap<>();
    private final ScopeFigures figures = new ScopeFigures();
    private volatile List<Address> members = List.of();
    private volatile long base;
    private volatile @Nullable ExecutorService pool;
    private volatile @Nullable ScopeWorkers workers;
    private volatile Runnable runEnd = () -> {};
    private @Nullable SCOPE_FC flowControl;
    private final List<Future<?>> timers = new ArrayList<>();

    @GuardedBy("this")
    private long counterAtSweep;

    public SCOPE setGapTimeout(long millis) {
        gap_timeout = millis;
        return this;
    }

    /** To be called on a worker that has delivered all that is ready, and now and then before. */
    public SCOPE setRunEnd(Runnable task) {
        runEnd = task;
        return this;
    }

    public long getGapTimeout() {
        return gap_timeout;
    }

    @ManagedAttribute(description = "Messages that had to wait for an earlier one", type = AttributeType.SCALAR)
    public long getHeldMessages() {
        return figures.everHeld();
    }

    @ManagedAttribute(
            description = "Messages that had to wait and went although the earlier one had not come",
            type = AttributeType.SCALAR)
    public long getReleasedMessages() {
        return figures.released();
    }

    @ManagedAttribute(
            description = "Scopes that went on without an earlier message, and are to be pulled",
            type = AttributeType.SCALAR)
    public long getGaps() {
        return figures.gaps();
    }

    @ManagedAttribute(description = "Messages waiting now", type = AttributeType.SCALAR)
    public long getWaitingMessages() {
        return figures.heldNow();
    }

    @ManagedAttribute(description = "Bytes of the messages waiting now", type = AttributeType.BYTES)
    public long getWaitingBytes() {
        return figures.heldBytes();
    }

    @ManagedAttribute(description = "Scopes known as a receiver, summed over the origins", type = AttributeType.SCALAR)
    public int getScopes() {
        return origins.values().stream().mapToInt(ScopeOrder::scopeCount).sum();
    }

    @ManagedAttribute(description = "Scopes known as a sender", type = AttributeType.SCALAR)
    public int getScopesSent() {
        return lastNumbers.size();
    }

    @ManagedAttribute(description = "Messages numbered", type = AttributeType.SCALAR)
    public long getNumbered() {
        return counter.get();
    }

    /**
     * The next number of this member in {@code scope}, for a message that is sent thereafter. Messages of one scope are to be
     * sent in the order of their numbers, so for one scope this is called by one thread at a time.
     */
    public ScopeHeader next(long scope) {
        long number = counter.incrementAndGet();
        Long previous = lastNumbers.put(scope, number);
        return new ScopeHeader(scope, number, previous == null ? 0 : previous, base);
    }

    /** The next number of this member for a message that waits for none, and none for it. */
    public ScopeHeader unordered(long scope) {
        return new ScopeHeader(scope, counter.incrementAndGet(), 0, base);
    }

    @Override
    public void start() throws Exception {
        super.start();
        flowControl = stack.findProtocol(SCOPE_FC.class);
        AtomicInteger count = new AtomicInteger();
        ExecutorService started = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "scope-" + count.incrementAndGet());
            thread.setDaemon(true);
            thread.setContextClassLoader(SCOPE.class.getClassLoader());
            return thread;
        });
        pool = started;
        workers = new ScopeWorkers(started, threads, this::endRun);
        every(gap_timeout / 2 + 1, this::releaseHeld);
        every(Math.max(SWEEP_MILLIS, 4 * gap_timeout), this::sweep);
    }

    private void endRun() {
        try {
            runEnd.run();
        } catch (RuntimeException e) {
            log.warn("%s: after a run of messages: %s", local_addr, e);
        }
    }

    private void every(long millis, Runnable task) {
        timers.add(getTransport().getTimer().scheduleWithFixedDelay(task, millis, millis, TimeUnit.MILLISECONDS));
    }

    @Override
    public void stop() {
        timers.forEach(timer -> timer.cancel(false));
        timers.clear();
        ExecutorService started = pool;
        if (started != null) {
            started.shutdown();
        }
        origins.clear();
        super.stop();
    }

    @Override
    public Object up(Event event) {
        if (event.getType() == Event.VIEW_CHANGE) {
            view(event.arg());
        }
        return up_prot.up(event);
    }

    private void view(View view) {
        List<Address> before = members;
        members = List.copyOf(view.getMembers());
        base = counter.get();
        for (Address origin : members) {
            if (!before.contains(origin) || apart(view, origin)) {
                order(origin).listen();
            }
        }
        releaseDeparted();
    }

    /** Whether the origin was in a view without this member, which may not know: a process that stood still does not. */
    private boolean apart(View view, Address origin) {
        return view instanceof MergeView merge
                && merge.getSubgroups().stream()
                        .anyMatch(side -> side.containsMember(origin) && !side.containsMember(local_addr));
    }

    private void releaseDeparted() {
        for (Address origin : List.copyOf(origins.keySet())) {
            ScopeOrder<Message> gone = members.contains(origin) ? null : origins.remove(origin);
            if (gone != null) {
                SCOPE_FC credits = flowControl;
                if (credits != null) {
                    credits.forget(origin);
                }
                drainAll(gone, gone.close());
            }
        }
    }

    private ScopeOrder<Message> order(Address origin) {
        ScopeOrder<Message> known = origins.get(origin); // Nearly always, and without a lock.
        return known != null
                ? known
                : origins.computeIfAbsent(
                        origin,
                        source -> new ScopeOrder<>(
                                new ScopeOrder.Limits(gap_timeout, max_held_bytes, max_held_total),
                                figures,
                                ScopedBatch::alone));
    }

    @Override
    public @Nullable Object up(Message message) {
        if (!scoped(message)) {
            return up_prot.up(message);
        }
        wake(arrived(message));
        return null;
    }

    @Override
    public void up(MessageBatch batch) {
        int ready = 0;
        for (var messages = batch.iterator(); messages.hasNext(); ) {
            Message message = messages.next();
            if (scoped(message)) {
                messages.remove();
                ready += arrived(message);
            }
        }
        wake(ready);
        if (!batch.isEmpty()) {
            up_prot.up(batch);
        }
    }

    private boolean scoped(Message message) {
        return message.getHeader(ID) != null && !message.getSrc().equals(local_addr);
    }

    /** @return how many scopes became ready */
    private int arrived(Message message) {
        SCOPE_FC credits = flowControl;
        if (credits != null) {
            credits.arrived(message.getSrc(), message.getLength());
        }
        ScopeOrder<Message> order = order(message.getSrc());
        long now = now();
        if (message.getHeader(ID) instanceof ScopeHeader header) {
            return sort(order, message, header, now);
        }
        List<Message> messages;
        try {
            messages = ScopedBatch.apart(message);
        } catch (IllegalArgumentException e) {
            log.error("dropped a message of " + message.getSrc(), e);
            return 0;
        }
        int ready = 0;
        for (Message each : messages) {
            ready += sort(order, each, each.getHeader(ID), now);
        }
        return ready;
    }

    /** @return how many scopes became ready: 0 or 1 */
    private int sort(ScopeOrder<Message> order, Message message, ScopeHeader header, long now) {
        SCOPE_FC credits = flowControl;
        ScopeOrder.Scope<Message> scope = order.offer(header, message, message.getLength(), now);
        if (header.held() && credits != null) {
            credits.arrived(message.getSrc(), -message.getLength());
            credits.held(message.getSrc(), message.getLength());
        }
        return scope == null ? 0 : drain(order, scope);
    }

    private void releaseHeld() {
        if (figures.heldNow() > 0) {
            long heldBefore = now() - gap_timeout;
            origins.values().forEach(order -> drainAll(order, order.release(heldBefore)));
        }
    }

    private void sweep() {
        origins.values().forEach(ScopeOrder::sweep);
        releaseDeparted(); // A message that was under way when its origin left made it known again.
        long idle;
        synchronized (this) {
            idle = counterAtSweep;
            counterAtSweep = counter.get();
        }
        lastNumbers.values().removeIf(last -> last <= idle);
    }

    private void drainAll(ScopeOrder<Message> order, List<ScopeOrder.Scope<Message>> scopes) {
        scopes.forEach(scope -> drain(order, scope));
        wake(scopes.size());
    }

    private int drain(ScopeOrder<Message> order, ScopeOrder.Scope<Message> scope) {
        ScopeWorkers started = workers;
        if (started == null) {
            return 0;
        }
        started.add(() -> deliver(order, scope));
        return 1;
    }

    private void wake(int ready) {
        ScopeWorkers started = workers;
        if (started != null && ready > 0) {
            started.wake(ready);
        }
    }

    private void deliver(ScopeOrder<Message> order, ScopeOrder.Scope<Message> scope) {
        for (List<Message> messages = order.take(scope); !messages.isEmpty(); messages = order.take(scope)) {
            for (int i = 0; i < messages.size(); i++) { // Without an iterator: mostly it is one.
                Message message = messages.get(i);
                deliver(message, message.getHeader(ID));
            }
        }
    }

    private void deliver(Message message, ScopeHeader header) {
        SCOPE_FC credits = flowControl;
        try {
            if (header.held() && credits != null) {
                message.setFlag(Message.Flag.NO_FC); // Its credits went back when it was held.
            }
            up_prot.up(message);
        } catch (RuntimeException e) {
            log.error("a message of " + message.getSrc() + " could not be handled", e);
        } finally {
            if (!header.held() && credits != null) {
                credits.arrived(message.getSrc(), -message.getLength());
            }
        }
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
