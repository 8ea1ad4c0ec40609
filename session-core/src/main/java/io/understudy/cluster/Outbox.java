package io.understudy.cluster;

import io.understudy.codec.Frame.Change;
import io.understudy.codec.Frame.Update;
import io.understudy.codec.WireCodec;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Changes on their way out. One thread sends, and it alone waits for credits; requests never do. What waits, waits by
 * session: a newer change of a session is joined into the one that waits, so what a slow member makes wait is at most one
 * change per session.
 *
 * <p>Changes of one session leave in the order they were put. Those of different sessions leave in the order in which the
 * sessions began to wait; a large one is sent in parts, between which others go.
 *
 * <p>Threads: {@link #put} from any, never waiting; the rest on the thread that runs this.
 */
final class Outbox implements Runnable {

    /** Bytes of a change's frame above which it is sent in parts, and of a part. */
    static final int MAX_FRAME_BYTES = 256 << 10;

    /** Bytes of a change in one part; the rest of the frame is the part's own. */
    private static final int PART_BYTES = MAX_FRAME_BYTES - 64;

    /** Large changes in parts at a time; together they are to leave credits for the others. */
    static final int MAX_TRANSFERS = 4;

    private static final Logger LOG = System.getLogger(Outbox.class.getName());

    /** What a request wants sent. */
    private static final class Waiting {
        private final ApplicationGroup group;
        private final long beganMillis;
        private final CompletableFuture<Boolean> held = new CompletableFuture<>();
        private SessionDelta delta;
        private long usedMillis;
        private int bytes;

        Waiting(ApplicationGroup group, SessionDelta delta, long beganMillis, long usedMillis, int bytes) {
            this.group = group;
            this.delta = delta;
            this.beganMillis = beganMillis;
            this.usedMillis = usedMillis;
            this.bytes = bytes;
        }
    }

    /** A session that has something to send; guarded by the map it is in. */
    private static final class Line {
        private @Nullable Waiting next;
        private @Nullable Waiting sending;
    }

    private final Sending sending;
    private final AtRisk atRisk;
    private final Map<SessionKey, Line> lines = new ConcurrentHashMap<>();
    private final BlockingQueue<Runnable> turns = new LinkedBlockingQueue<>();

    /** Sessions whose large change waits until another one is through. For the sending thread. */
    private final Queue<SessionKey> largeOnes = new ArrayDeque<>();

    private int transfers;
    private volatile boolean stopped;

    Outbox(Sending sending, AtRisk atRisk) {
        this.sending = sending;
        this.atRisk = atRisk;
    }

    /**
     * Takes in a change, in the order of the session's commits: to be called under the session's lock.
     *
     * @param ageMillis how long ago the session began
     * @return completes with true once every member that counts holds the change, with false if nobody else holds it
     */
    CompletableFuture<Boolean> put(ApplicationGroup group, SessionDelta delta, long ageMillis) {
        long now = sending.nowMillis();
        Waiting[] joined = new Waiting[1];
        boolean[] first = new boolean[1];
        lines.compute(delta.key(), (key, line) -> {
            Line at = line == null ? new Line() : line;
            Waiting waiting = at.next;
            if (waiting == null) {
                waiting = new Waiting(group, delta, now - ageMillis, now, DeltaSize.bytes(delta));
                at.next = waiting;
                atRisk.add(key.value(), waiting.bytes);
                first[0] = at.sending == null;
            } else {
                int before = waiting.bytes;
                waiting.delta = SessionDelta.join(waiting.delta, delta);
                waiting.usedMillis = now;
                waiting.bytes = DeltaSize.bytes(waiting.delta);
                atRisk.add(key.value(), waiting.bytes);
                atRisk.remove(key.value(), before);
            }
            joined[0] = waiting;
            return at;
        });
        if (first[0]) {
            turns.add(() -> send(delta.key())); // Only now: a turn that finds no line is lost.
        }
        if (stopped) {
            joined[0].held.complete(false);
        }
        return joined[0].held.copy();
    }

    /** Sessions with a change that has not been sent, or not wholly. */
    int sessions() {
        return lines.size();
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                takeTurn(turns.take());
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

    private static void takeTurn(Runnable turn) {
        try {
            turn.run();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a change could not be sent; the other members get it when they compare", e);
        }
    }

    private static void abandon(@Nullable Waiting waiting) {
        if (waiting != null) {
            waiting.held.complete(false);
        }
    }

    private void send(SessionKey key) {
        Line line = lines.get(key);
        Waiting first = line == null ? null : line.next;
        if (first == null) {
            return;
        }
        boolean large = first.bytes > MAX_FRAME_BYTES / 2; // An estimate, read without the lock: it may have grown.
        if (large && transfers >= MAX_TRANSFERS) {
            largeOnes.add(key);
            return;
        }
        Waiting waiting = take(key);
        if (waiting == null) {
            return;
        }
        boolean inParts = false;
        try {
            byte[] frame = frame(waiting);
            inParts = frame.length > MAX_FRAME_BYTES;
            if (inParts) {
                transfers++;
                new Transfer(waiting, key, frame).begin();
            } else {
                complete(waiting, sending.change(waiting.group, key, frame));
            }
        } finally {
            if (!inParts) {
                release(key);
            }
        }
    }

    private @Nullable Waiting take(SessionKey key) {
        Line line = lines.computeIfPresent(key, (same, current) -> {
            current.sending = current.next;
            current.next = null;
            return current;
        });
        return line == null ? null : line.sending;
    }

    private byte[] frame(Waiting waiting) {
        long now = sending.nowMillis();
        long age = Math.max(0, now - waiting.beganMillis);
        long idle = Math.max(0, now - waiting.usedMillis);
        return WireCodec.encode(new Change(waiting.group.number(), new Update(age, idle, waiting.delta)));
    }

    /** The change has its number, and counts as at risk on its own from here on. */
    private void complete(Waiting waiting, CompletableFuture<Boolean> sent) {
        atRisk.remove(waiting.delta.key().value(), waiting.bytes);
        sent.thenAccept(waiting.held::complete);
    }

    private void release(SessionKey key) {
        Line more = lines.computeIfPresent(key, (same, line) -> {
            line.sending = null;
            return line.next == null ? null : line;
        });
        if (more != null) {
            turns.add(() -> send(key));
        }
    }

    /** A large change: a few parts are under way at a time, and the last follows when all others are acknowledged. */
    private final class Transfer {

        /** Parts that are not acknowledged yet, at most. */
        private static final int WINDOW = 2;

        private final Waiting waiting;
        private final SessionKey key;
        private final byte[] frame;
        private final long number = sending.transferNumber();
        private int sent;
        private int acknowledged;

        Transfer(Waiting waiting, SessionKey key, byte[] frame) {
            this.waiting = waiting;
            this.key = key;
            this.frame = frame;
        }

        private int parts() {
            return (frame.length - 1) / PART_BYTES;
        }

        void begin() {
            for (int i = 0; i < Math.min(WINDOW, parts()); i++) {
                turns.add(this::part);
            }
        }

        private void part() {
            int index = sent++;
            sending.part(waiting.group, number, index, frame, index * PART_BYTES, PART_BYTES)
                    .whenComplete((held, failure) -> turns.add(this::partAcknowledged));
        }

        private void partAcknowledged() {
            acknowledged++;
            if (sent < parts()) {
                part();
            } else if (acknowledged == parts()) {
                int from = parts() * PART_BYTES;
                complete(waiting, sending.lastPart(waiting.group, key, number, parts(), frame, from));
                transfers--;
                release(key);
                SessionKey large = largeOnes.poll();
                if (large != null) {
                    turns.add(() -> send(large));
                }
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
