package io.understudy.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.codec.FrameBuffer;
import io.understudy.config.Acks;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Changes on their way out. One thread sends, and it alone waits for credits; requests never do. What waits, waits by
 * session: a newer change of a session is joined into the one that waits, so what a slow member makes wait is at most one
 * change per session, and at risk.
 *
 * <p>Changes of one session leave in the order they were put. Those of different sessions leave in the order in which the
 * sessions began to wait; a large one is sent in parts, between which others go.
 *
 * <p>Threads: {@link #put} from any, never waiting; the rest on the thread that runs this.
 */
final class Outbox implements Runnable {

    /** Bytes of the largest frame; a larger change is sent in parts. */
    static final int MAX_FRAME_BYTES = 256 << 10;

    /** Bytes of a change in one part; the rest of the frame is the part's own. */
    static final int PART_BYTES = MAX_FRAME_BYTES - 64;

    /** Turns between two looks at what was sent; far more than fill a message. */
    private static final int MAX_TURNS = 256;

    /** Large changes in parts at a time; together they are to leave credits for the others. */
    static final int MAX_TRANSFERS = 4;

    private static final Logger LOG = System.getLogger(Outbox.class.getName());

    /** A session that has something to send; written under its lock. As a turn it sends that. */
    private final class Line implements Runnable {
        private final SessionKey key;
        private volatile @Nullable WaitingChange next;
        private volatile @Nullable WaitingChange sending;

        /** It was taken out of the map: another one is to be put there. */
        @GuardedBy("this")
        private boolean ended;

        Line(SessionKey key) {
            this.key = key;
        }

        @Override
        public void run() {
            send(this);
        }
    }

    private final Sending sending;
    private final AckTracker tracker;
    private final Map<SessionKey, Line> lines = new ConcurrentHashMap<>();
    private final BlockingQueue<Runnable> turns = new LinkedBlockingQueue<>();

    /** Sessions whose large change waits until another one is through. For the sending thread. */
    private final Queue<Line> largeOnes = new ArrayDeque<>();

    /** Sessions whose change was taken into a message since the last one was sent. For the sending thread. */
    private final List<Line> taken = new ArrayList<>();

    /** The change being sent. For the sending thread. */
    private final FrameBuffer frame = new FrameBuffer();

    private int transfers;
    private volatile boolean stopped;

    Outbox(Sending sending, AckTracker tracker) {
        this.sending = sending;
        this.tracker = tracker;
    }

    /**
     * Takes in a change, in the order of the session's commits: to be called under the session's lock.
     *
     * @param ageMillis how long ago the session began
     * @param acks how many members' acknowledgements are asked for
     * @return completes with how many hold the change, as {@link AckTracker#expect} does
     */
    CompletableFuture<Held> put(long application, SessionDelta delta, long ageMillis, Acks acks) {
        while (true) {
            Line known = lines.get(delta.key());
            Line line = known == null ? new Line(delta.key()) : known;
            synchronized (line) {
                if (!line.ended && (known != null || lines.putIfAbsent(line.key, line) == null)) {
                    return put(line, application, delta, ageMillis, acks).held();
                }
            }
        }
    }

    private WaitingChange put(Line line, long application, SessionDelta delta, long ageMillis, Acks acks) {
        long now = sending.nowMillis();
        WaitingChange waiting = line.next;
        if (waiting == null) {
            waiting = new WaitingChange(application, delta, now - ageMillis, now, acks, tracker.atRisk());
            line.next = waiting;
            if (line.sending == null) {
                turns.add(line);
            }
        } else {
            waiting.join(delta, now);
        }
        if (stopped) {
            waiting.abandon();
        }
        return waiting;
    }

    /** Completes when every change that was put until now is complete; later ones do not count. */
    CompletableFuture<Void> settled() {
        CompletableFuture<?>[] numbered = lines.values().stream()
                .flatMap(line -> Stream.concat(Stream.ofNullable(line.next), Stream.ofNullable(line.sending)))
                .map(WaitingChange::numbered)
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(numbered).thenCompose(all -> tracker.settled());
    }

    /** Sessions with a change that has not been sent, or not wholly. */
    int sessions() {
        return lines.size();
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                takeTurns();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            stopped = true;
            lines.values().forEach(line -> {
                abandon(line.next);
                abandon(line.sending);
            });
        }
    }

    /** What waits goes together, without waiting for more. A session's change is under way until the message is sent. */
    private void takeTurns() throws InterruptedException {
        List<Runnable> waiting = new ArrayList<>();
        waiting.add(turns.take());
        turns.drainTo(waiting, MAX_TURNS);
        for (Runnable turn : waiting) {
            guarded(turn);
        }
        guarded(this::flush);
    }

    private void flush() {
        try {
            sending.flush();
        } finally {
            taken.forEach(this::release);
            taken.clear();
        }
    }

    private void makeRoom(int length) {
        if (!sending.fits(length)) {
            flush();
        }
    }

    private static void guarded(Runnable turn) {
        try {
            turn.run();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a change could not be sent; the other members get it when they compare", e);
        }
    }

    private static void abandon(@Nullable WaitingChange waiting) {
        if (waiting != null) {
            waiting.abandon();
        }
    }

    private void send(Line line) {
        WaitingChange waiting;
        synchronized (line) {
            waiting = line.next;
            if (waiting == null) {
                return;
            }
            if (transfers >= MAX_TRANSFERS && large(waiting)) {
                largeOnes.add(line);
                return;
            }
            line.sending = waiting;
            line.next = null;
        }
        boolean inParts = false;
        try {
            sending.write(frame, waiting.frame(sending.nowMillis()));
            inParts = frame.length() > MAX_FRAME_BYTES;
            if (inParts) {
                transfers++;
                new Transfer(waiting, line, frame.copy()).begin();
            } else {
                makeRoom(frame.length());
                sending.change(waiting, line.key, frame);
                waiting.tracked();
            }
        } finally {
            if (!inParts) {
                taken.add(line);
            }
        }
    }

    private static boolean large(WaitingChange change) {
        return change.bytes() > MAX_FRAME_BYTES / 2; // More than a frame, for all its bytes tell.
    }

    private void release(Line line) {
        synchronized (line) {
            line.sending = null;
            if (line.next == null) {
                line.ended = true;
                lines.remove(line.key);
            } else {
                turns.add(line);
            }
        }
    }

    /** A large change: a few parts are under way at a time, and the last follows when all others are acknowledged. */
    private final class Transfer {

        /** Parts that are not acknowledged yet, at most. */
        private static final int WINDOW = 2;

        private final WaitingChange waiting;
        private final Line line;
        private final byte[] frame;
        private final int parts;
        private final long number = sending.transferNumber();
        private int sent;
        private int acknowledged;

        Transfer(WaitingChange waiting, Line line, byte[] frame) {
            this.waiting = waiting;
            this.line = line;
            this.frame = frame;
            this.parts = (frame.length - 1) / PART_BYTES;
        }

        void begin() {
            for (int i = 0; i < Math.min(WINDOW, parts); i++) {
                turns.add(this::part);
            }
        }

        private void part() {
            int index = sent++;
            CompletableFuture<Held> unused = sending.part(
                            waiting.application(), number, index, frame, index * PART_BYTES, PART_BYTES)
                    .whenComplete((held, failure) -> turns.add(this::partAcknowledged));
        }

        private void partAcknowledged() {
            acknowledged++;
            if (sent < parts) {
                part();
            } else if (acknowledged == parts) {
                end();
            }
        }

        private void end() {
            int from = parts * PART_BYTES;
            makeRoom(frame.length - from);
            sending.lastPart(waiting, line.key, number, parts, frame, from);
            waiting.tracked();
            transfers--;
            taken.add(line);
            Line large = largeOnes.poll();
            if (large != null) {
                turns.add(large);
            }
        }
    }

    /**
     * Sends what waits, for at most this long, and ends. What is put afterwards, or left, is not sent.
     *
     * @return whether all was sent
     */
    boolean drain(long limitMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        try {
            while (!lines.isEmpty() && !stopped && System.nanoTime() < end) {
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stopped = true;
        turns.add(() -> {});
        return lines.isEmpty();
    }
}
