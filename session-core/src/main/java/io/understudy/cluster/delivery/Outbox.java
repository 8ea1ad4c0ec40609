package io.understudy.cluster.delivery;

import io.understudy.cluster.delivery.Lines.Line;
import io.understudy.config.session.Acks;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionDelta;
import io.understudy.threads.Failures;
import io.understudy.threads.Loop;
import io.understudy.threads.Uninterrupted;
import io.understudy.wire.FrameBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Changes on their way out. One thread sends, and it alone waits for credits; requests never do. What waits, waits by
 * session: a newer change of a session is joined into the one that waits, so what a slow member makes wait is at most one
 * change per session, and at risk.
 *
 * <p>Changes of one session leave in the order they were put. Those of different sessions leave in the order in which the
 * sessions began to wait; a large one is sent in parts, between which others go.
 *
 * <p>A change that can't be sent, whatever was thrown, is held by nobody: those that wait for it learn so at once. It stays
 * at risk and is sent again each second, with what its session changed meanwhile, until the others have pulled it as they
 * compared what they hold.
 *
 * <p>Threads: {@link #put} from any, never waiting; the rest on the thread that makes the rounds.
 */
public final class Outbox implements Loop.Rounds {

    /** Bytes of the largest frame; a larger change is sent in parts. */
    static final int MAX_FRAME_BYTES = 256 << 10;

    /** Turns between two looks at what was sent; far more than fill a message. */
    private static final int MAX_TURNS = 256;

    /** Large changes in parts at a time; together they are to leave credits for the others. */
    static final int MAX_TRANSFERS = 4;

    /** What fails that often in a row is not the fault of the change. */
    private static final int FEW = 3;

    /** Between two looks at what did not get its turn, or is to be sent again. */
    private static final long LOOK_MILLIS = 1000;

    /** What {@link #put} returns where there was no memory to put anything. */
    private static final CompletableFuture<AckResult> NOT_HELD = CompletableFuture.completedFuture(AckResult.NONE);

    /** A large change under way. As a turn it goes on with that. */
    private final class Large implements Runnable {
        private final Line line;
        private final WaitingChange waiting;
        private final Transfer transfer;

        Large(Line line, WaitingChange waiting, byte[] bytes) {
            this.line = line;
            this.waiting = waiting;
            this.transfer = new Transfer(sending, waiting, bytes, this::next);
        }

        @Override
        public void run() {
            advance(this);
        }

        /** On any thread. */
        private void next() {
            turns.add(this);
            turns.wake();
        }
    }

    private final DeltaSender sending;
    private final AckTracker tracker;
    private final ReplicationMetrics metrics;
    private final Failures failures;
    private final long comparedNanos;
    private final Lines lines;
    private final Turns turns = new Turns();
    private final Pace pace;

    // All below is for the sending thread. Lists have their room from the beginning: what was taken out of a queue is
    // not lost for want of memory.

    private final List<Runnable> round = new ArrayList<>(MAX_TURNS);

    /** Sessions whose large change waits until another one is through. */
    private final Set<Line> largeOnes = new LinkedHashSet<>();

    private final List<Large> transfers = new ArrayList<>(MAX_TRANSFERS);

    /** Sessions whose change was taken into a message since the last one was sent. */
    private final List<Line> taken = new ArrayList<>(MAX_TURNS + 1);

    /** The change being sent. */
    private final FrameBuffer frame = new FrameBuffer();

    private final AtomicLong messages = new AtomicLong();
    private long lookedNanos = System.nanoTime();

    /** Whether any line is. */
    private volatile boolean astray;

    /** Changes that could not be sent when they were new, since the last message was. */
    private volatile int failedInARow;

    private volatile boolean stopped;

    /** @param compared after how long a change that can't be sent was pulled by the others, as members compare what they hold */
    public Outbox(
            DeltaSender sending, AckTracker tracker, ReplicationMetrics metrics, Failures failures, Duration compared) {
        this(sending, tracker, metrics, failures, compared, new Pace());
    }

    Outbox(
            DeltaSender sending,
            AckTracker tracker,
            ReplicationMetrics metrics,
            Failures failures,
            Duration compared,
            Pace pace) {
        this.sending = sending;
        this.tracker = tracker;
        this.lines = new Lines(tracker.atRisk(), turns::add, this::send);
        this.metrics = metrics;
        this.failures = failures;
        this.comparedNanos = compared.toNanos();
        this.pace = pace;
    }

    /**
     * Takes in a change, in the order of the session's commits: to be called under the session's lock. Throws nothing, as the
     * change is merged here already.
     *
     * @param ageMillis how long ago the session began
     * @param acks how many members' acknowledgements are asked for
     * @return completes with how many hold the change, as {@link AckTracker#expect} does
     */
    public CompletableFuture<AckResult> put(long application, SessionDelta delta, long ageMillis, Acks acks) {
        try {
            WaitingChange waiting = lines.put(application, delta, ageMillis, sending.nowMillis(), acks);
            if (stopped) {
                waiting.abandon();
            }
            return waiting.held();
        } catch (Throwable e) {
            notSent(e);
            return NOT_HELD;
        } finally {
            turns.wake();
        }
    }

    /** A request waits for what was put, or is about to put what it waits for: that goes at once. Any thread. */
    public void hurry() {
        pace.hurry();
    }

    /** Whether the change of this {@link #put} has a place; there may have been no memory for that. */
    @SuppressWarnings("ReferenceEquality")
    public static boolean placed(CompletableFuture<AckResult> put) {
        return put != NOT_HELD;
    }

    /** Completes when every change that was put until now is complete; later ones do not count. */
    public CompletableFuture<Void> settled() {
        pace.hurry();
        return lines.numbered().thenCompose(all -> tracker.settled());
    }

    /** Sessions with a change that has not been sent, or not wholly. */
    public int sessions() {
        return lines.size();
    }

    /** Messages with changes that were sent. */
    public long messages() {
        return messages.get();
    }

    /** Whether several changes in a row could not be sent, and wait to be sent again: not one that nobody could send. */
    public boolean failing() {
        return astray && failedInARow >= FEW;
    }

    @Override
    public boolean round() throws InterruptedException {
        if (stopped) {
            lines.abandon();
            return false;
        }
        takeTurns();
        if (System.nanoTime() - lookedNanos >= TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)) {
            lookedNanos = System.nanoTime();
            look();
        }
        return true;
    }

    /** What waits goes together, at the {@link Pace} that there is. A session's change is under way until the message is sent. */
    private void takeTurns() throws InterruptedException {
        Runnable first = turns.await(LOOK_MILLIS);
        if (first == null) {
            return;
        }
        try {
            pace.await();
        } finally {
            guarded(first);
        }
        turns.drainTo(round, MAX_TURNS);
        for (Runnable turn : round) {
            guarded(turn);
        }
        round.clear();
        flush();
        nextLarge();
    }

    /** Goes on with what has no turn: of a line that was to wait, or because there was no memory for one. */
    private void look() {
        for (Large large : List.copyOf(transfers)) {
            guarded(large);
        }
        nextLarge();
        if (astray) {
            astray = false;
            for (Line line : lines.all()) {
                if (line.found()) {
                    guarded(line);
                }
                if (taken.size() == MAX_TURNS) {
                    flush();
                }
            }
        }
        flush();
    }

    private void guarded(Runnable turn) {
        try {
            turn.run();
        } catch (Throwable e) {
            failures.report("sending changes", e);
        }
    }

    /** Sends what was taken in; what can't be sent goes again. */
    private void flush() {
        Throwable failure = null;
        try {
            sending.flush();
            if (!taken.isEmpty()) {
                sent();
            }
        } catch (Throwable e) {
            failure = e;
        }
        for (int i = 0; i < taken.size(); i++) {
            Line line = taken.get(i);
            WaitingChange sent = line.sending();
            if (failure == null || sent == null) {
                release(line);
            } else {
                again(line, sent, failure);
            }
        }
        taken.clear();
    }

    private void sent() {
        messages.lazySet(messages.get() + 1); // By this thread alone.
        pace.sent(taken.size());
        if (failedInARow > 0) {
            failedInARow = 0;
        }
    }

    private void makeRoom(int length) {
        if (!sending.fits(length)) {
            flush();
        }
    }

    private void notSent(Throwable why) {
        metrics.count(Counter.CHANGES_NOT_SENT);
        failures.report("sending a change; the other members get it by a later attempt or comparison", why);
    }

    private void send(Line line) {
        WaitingChange due = line.due();
        if (due != null && transfers.size() >= MAX_TRANSFERS && large(due)) {
            await(line);
            return;
        }
        WaitingChange waiting = line.take();
        if (waiting == null) {
            return; // It had its turn, or gets it when what is under way is sent.
        }
        try {
            sending.write(frame, waiting.frame(sending.nowMillis()));
            if (frame.length() > MAX_FRAME_BYTES) {
                Large large = new Large(line, waiting, frame.copy());
                transfers.add(large);
                advance(large);
                return;
            }
            makeRoom(frame.length());
            sending.append(waiting, frame);
            taken.add(line);
        } catch (Throwable e) {
            again(line, waiting, e);
            return;
        }
        waiting.tracked();
    }

    private static boolean large(WaitingChange change) {
        return change.bytes() > MAX_FRAME_BYTES / 2; // More than a frame, for all its bytes tell.
    }

    /** Until another large change is through. */
    private void await(Line line) {
        try {
            largeOnes.add(line);
        } catch (Throwable e) {
            strays(line, e);
        }
    }

    private void advance(Large large) {
        if (!transfers.contains(large)) {
            return; // An acknowledgement of a part came when the rest had failed.
        }
        try {
            if (!large.transfer.advance(this::flush)) {
                return;
            }
            makeRoom(large.transfer.rest());
            large.transfer.end(large.line.key());
            taken.add(large.line);
        } catch (Throwable e) {
            transfers.remove(large);
            again(large.line, large.waiting, e);
            return;
        }
        transfers.remove(large);
        large.waiting.tracked();
    }

    /**
     * As many as may begin get a turn. After every round: one that was taken for large may fit in a frame, and then there is
     * no end of a transfer that would call the next.
     */
    private void nextLarge() {
        int free = MAX_TRANSFERS - transfers.size();
        if (free <= 0 || largeOnes.isEmpty()) {
            return;
        }
        for (Iterator<Line> waiting = largeOnes.iterator(); free > 0 && waiting.hasNext(); free--) {
            Line next = waiting.next();
            waiting.remove();
            turn(next);
        }
    }

    private void release(Line line) {
        if (lines.release(line)) {
            turn(line);
        }
    }

    private void turn(Line line) {
        try {
            turns.add(line);
        } catch (Throwable e) {
            strays(line, e);
        }
    }

    private void strays(Line line, Throwable why) {
        line.strays();
        astray = true;
        failures.report("sending changes; the node retries", why);
    }

    /**
     * A change could not be sent. Who waits for it learns that nobody holds it; it stays at risk, and goes with what came
     * meanwhile, unless the others have compared since it failed first. What is known of it that was on its way before
     * is taken back, unless everybody is gone who was to acknowledge it.
     */
    private void again(Line line, WaitingChange waiting, Throwable why) {
        notSent(why);
        boolean kept = false;
        int failedBefore = failedInARow;
        failedInARow = waiting.failed() ? failedBefore : failedBefore + 1;
        try {
            if (!waiting.takeBack(sending::lost)) {
                kept = true;
                waiting.tracked(); // It is complete: nothing of it is left to be sent.
            }
            waiting.notHeld();
            if (!kept && waiting.failedNanos() < comparedNanos) {
                line.putBack(waiting);
                astray = true;
                kept = true;
            }
        } catch (Throwable e) {
            failures.report("keeping a change for another attempt; the other members get it when they compare", e);
        }
        if (!kept) {
            waiting.giveUp();
        }
        release(line);
    }

    /**
     * Waits until what waits is sent, for at most this long. An interrupt does not shorten that.
     *
     * @return whether all was sent
     */
    public boolean drain(long limitMillis) {
        pace.hurry();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        Uninterrupted.run(() -> {
            while (!lines.isEmpty() && !stopped && System.nanoTime() < end) {
                Thread.sleep(1);
            }
        });
        return lines.isEmpty();
    }

    /** Ends its thread. What is left, or put afterwards, is not sent. */
    public void stop() {
        stopped = true;
        turns.add(() -> {}); // Without memory for it, the thread ends a little later.
        turns.wake();
        pace.hurry();
    }
}
