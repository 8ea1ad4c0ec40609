package io.understudy.ordering;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.annotations.MBean;
import org.jgroups.annotations.ManagedAttribute;
import org.jgroups.annotations.Property;
import org.jgroups.conf.AttributeType;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * Delivers messages of one scope in the order their origin numbered them, and different scopes in parallel: a slow,
 * large or lost message of one scope does not delay another.
 *
 * <p>The heir of JGroups' own SCOPE (2.10 to 3.x, JGRP-822, removed by JGRP-2006), which sat on top of FIFO delivery:
 * there a lost packet stalled every scope of its sender. Here messages travel out-of-band, are delivered past gaps by
 * the reliable multicast below, and get their order back from numbers of this protocol.
 *
 * <p>Must sit below the flow control, so that credits go back when a message was handled, and above fragmentation,
 * which keeps headers in the first fragment only.
 *
 * <p>Threads: {@code up} on JGroups' threads, never blocking; messages go on upwards on a fixed pool, one worker at a
 * time per scope, and on the thread that read them if they are taken {@linkplain #setPromptly promptly}. Messages without
 * a {@link ScopeHeader} pass on the thread they came on. Public as JGroups instantiates it.
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

    /** Between two looks at what waits, in milliseconds, however long it may wait. */
    private static final long MAX_LOOK_MILLIS = 500;

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

    private final Numbers numbers = new Numbers();
    private final ScopeFigures figures = new ScopeFigures();
    private final Origins origins = new Origins(this::order, this::gone);
    private volatile Runnable runEnd = () -> {};
    private volatile Predicate<Message> promptly = message -> false;
    private volatile BiConsumer<Address, ScopeHeader> undelivered = (sender, place) -> {};
    private volatile BiConsumer<String, Throwable> failures = (what, why) -> log.error(what, why);

    private final AtomicLong looks = new AtomicLong();
    private final ScopeCredits credits = new ScopeCredits();
    private final ScopeDelivery delivery = new ScopeDelivery(
            message -> up_prot.up(message),
            credits,
            () -> runEnd.run(),
            (sender, place) -> undelivered.accept(sender, place),
            (what, why) -> failures.accept(what, why));

    @GuardedBy("this")
    private final List<Future<?>> timers = new ArrayList<>();

    public SCOPE setGapTimeout(long millis) {
        gap_timeout = millis;
        return this;
    }

    /** To be called on a thread that has delivered all that is ready, and now and then before. */
    public SCOPE setRunEnd(Runnable task) {
        runEnd = task;
        return this;
    }

    /**
     * Which messages are taken above without waiting, neither for a disk nor for another member, and without long work.
     * Such a message is delivered on the thread that read it, unless another thread delivers its scope, or others go with
     * it. By default none is.
     */
    public SCOPE setPromptly(Predicate<Message> taken) {
        promptly = taken;
        return this;
    }

    /**
     * Takes note of a message that can't be handed up, as something was thrown, or not wholly: its sender waits for a word. On
     * any thread.
     */
    public SCOPE setUndelivered(BiConsumer<Address, ScopeHeader> listener) {
        undelivered = listener;
        return this;
    }

    /** Takes note of what is thrown here, and what it kept from being done. On any thread; throws nothing. */
    public SCOPE setFailures(BiConsumer<String, Throwable> listener) {
        failures = listener;
        return this;
    }

    /** How many threads may deliver: those that read come last. */
    public int deliveryThreads() {
        return threads + ScopeWorkers.GUESTS;
    }

    /** A number that rises as long as one of them gets on; odd while it has something to do. */
    public long deliverySteps(int thread) {
        return delivery.steps(thread);
    }

    /** A number that rises as long as those that wait are looked at. */
    public long looks() {
        return looks.get();
    }

    /** Whether the last view is not taken over wholly. */
    public boolean halfWay() {
        return origins.halfWay();
    }

    public long getGapTimeout() {
        return gap_timeout;
    }

    @ManagedAttribute(description = "Messages that waited for an earlier one", type = AttributeType.SCALAR)
    public long getHeldMessages() {
        return figures.everHeld();
    }

    @ManagedAttribute(
            description = "Messages that waited, and were delivered without the earlier one",
            type = AttributeType.SCALAR)
    public long getReleasedMessages() {
        return figures.released();
    }

    @ManagedAttribute(
            description = "Scopes that continued without an earlier message; the node pulls their sessions",
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
        return origins.all().stream().mapToInt(ScopeOrder::scopeCount).sum();
    }

    @ManagedAttribute(description = "Scopes known as a sender", type = AttributeType.SCALAR)
    public int getScopesSent() {
        return numbers.scopes();
    }

    @ManagedAttribute(description = "Messages numbered", type = AttributeType.SCALAR)
    public long getNumbered() {
        return numbers.last();
    }

    /**
     * The next number of this member in {@code scope}, for a message that is sent thereafter. Messages of one scope
     * must be sent in the order of their numbers, so for one scope this is called by one thread at a time.
     */
    public ScopeHeader next(Long scope) {
        return numbers.next(scope);
    }

    /** The next number of this member for a message that waits for none, and none for it. */
    public ScopeHeader unordered(long scope) {
        return numbers.unordered(scope);
    }

    @Override
    public void start() throws Exception {
        super.start();
        credits.use(stack.findProtocol(SCOPE_FC.class));
        delivery.start(threads);
        startTimers();
    }

    /** Again, if they ended: JGroups' timer forgets a task that it has no memory for. */
    public synchronized void startTimers() {
        timers.forEach(timer -> timer.cancel(false));
        timers.clear();
        every(Math.min(gap_timeout / 2 + 1, MAX_LOOK_MILLIS), this::look);
        every(Math.max(SWEEP_MILLIS, 4 * gap_timeout), this::sweep);
    }

    @GuardedBy("this")
    private void every(long millis, Runnable task) {
        Runnable survived = () -> {
            try {
                task.run();
            } catch (Throwable e) {
                failures.accept("checking changes that wait", e);
            }
        };
        Future<?> timer =
                getTransport().getTimer().scheduleWithFixedDelay(survived, millis, millis, TimeUnit.MILLISECONDS);
        if (timer != null) { // The channel is closed.
            timers.add(timer);
        }
    }

    private void look() {
        looks.incrementAndGet();
        takeOver();
        delivery.rouse();
        releaseHeld();
    }

    @Override
    public synchronized void stop() {
        timers.forEach(timer -> timer.cancel(false));
        timers.clear();
        delivery.stop();
        origins.clear();
        super.stop();
    }

    @Override
    public Object up(Event event) {
        if (event.getType() == Event.VIEW_CHANGE) {
            numbers.view();
            origins.next(event.arg());
            takeOver();
        }
        return up_prot.up(event);
    }

    /** What fails is done with the next look; who is above gets the view in any case. */
    private void takeOver() {
        try {
            origins.takeOver(local_addr);
        } catch (Throwable e) {
            failures.accept("accepting a view; the node retries", e);
        }
    }

    private ScopeOrder<Message> order() {
        return new ScopeOrder<>(
                new ScopeOrder.Limits(gap_timeout, max_held_bytes, max_held_total), figures, ScopedBatch::alone);
    }

    private void gone(Address origin, ScopeOrder<Message> order) {
        credits.forget(origin);
        delivery.drainAll(order, order.close());
    }

    @Override
    public @Nullable Object up(Message message) {
        if (!scoped(message)) {
            return up_prot.up(message);
        }
        end(arrived(message));
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
        end(ready);
        if (!batch.isEmpty()) {
            up_prot.up(batch);
        }
    }

    private boolean scoped(Message message) {
        return message.getHeader(ID) != null && !message.getSrc().equals(local_addr);
    }

    /** @param ready scopes for other threads, which may be long in coming to what this one has delivered */
    private void end(int ready) {
        delivery.wake(ready);
        delivery.runEnd();
    }

    /** @return how many scopes became ready for other threads */
    private int arrived(Message message) {
        if (message.getHeader(ID) instanceof ScopeHeader place) {
            return sort(message, place);
        }
        List<Message> messages;
        try {
            messages = ScopedBatch.apart(message);
        } catch (Throwable e) {
            failures.accept("splitting a message of several changes", e);
            ScopesHeader header = message.getHeader(ID);
            for (int i = 0; i < header.count(); i++) {
                delivery.undelivered(message.getSrc(), header.place(i));
            }
            credits.giveBack(message);
            return 0;
        }
        int ready = 0;
        for (int i = 0; i < messages.size(); i++) {
            Message each = messages.get(i);
            ready += sort(each, each.getHeader(ID));
        }
        return ready;
    }

    /** @return how many scopes became ready for other threads: 0 or 1 */
    private int sort(Message message, ScopeHeader place) {
        boolean arrived = false;
        try {
            credits.arrived(message);
            arrived = true;
            boolean here = takenPromptly(message);
            ScopeOrder<Message> order = origins.of(message.getSrc());
            ScopeOrder.Scope<Message> scope = order.offer(place, message, message.getLength(), now());
            if (place.held()) {
                credits.gone(message);
                credits.giveBack(message);
            }
            if (scope == null || (here && delivery.deliver(order, scope, message))) {
                return 0;
            }
            return delivery.drain(order, scope);
        } catch (Throwable e) {
            failures.accept("sorting a change of another member", e);
            if (arrived) {
                credits.gone(message);
            }
            delivery.undelivered(message.getSrc(), place);
            credits.giveBack(message);
            return 0;
        }
    }

    private boolean takenPromptly(Message message) {
        try {
            return promptly.test(message);
        } catch (Throwable e) {
            return false; // The thread that takes it will find out.
        }
    }

    private void releaseHeld() {
        if (figures.heldNow() > 0) {
            long heldBefore = now() - gap_timeout;
            origins.all().forEach(order -> delivery.drainAll(order, order.release(heldBefore)));
        }
    }

    private void sweep() {
        origins.all().forEach(ScopeOrder::sweep);
        origins.releaseDeparted();
        numbers.sweep();
    }

    private static long now() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
