package io.understudy.cluster.delivery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.config.session.Acks;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sessions that have something to send. Each has at most one change that waits, into which newer ones are joined,
 * and one that is being sent.
 *
 * <p>Where there is no memory for a step it is not taken, so a line is never without the turn that it needs, but one
 * that {@link Line#strays}.
 *
 * <p>Threads: {@link #put} any; the rest the sending one.
 */
final class Lines {

    /** A session that has something to send; written under its lock. As a turn it sends that. */
    static final class Line implements Runnable {
        private final SessionKey key;
        private final Consumer<Line> turn;
        private volatile @Nullable WaitingChange next;
        private volatile @Nullable WaitingChange sending;

        /** It was taken out of the map: another one is to be put there. */
        @GuardedBy("this")
        private boolean ended;

        /** It has no turn. For the sending thread. */
        private boolean stray;

        Line(SessionKey key, Consumer<Line> turn) {
            this.key = key;
            this.turn = turn;
        }

        @Override
        public void run() {
            turn.accept(this);
        }

        SessionKey key() {
            return key;
        }

        /** What waits, if nothing is being sent. */
        synchronized @Nullable WaitingChange due() {
            return sending == null ? next : null;
        }

        /** What is being sent. */
        @Nullable
        WaitingChange sending() {
            return sending;
        }

        /** Takes what waits, to be sent. */
        synchronized @Nullable WaitingChange take() {
            WaitingChange taken = sending == null ? next : null;
            if (taken != null) {
                sending = taken;
                next = null;
            }
            return taken;
        }

        /** What is being sent waits again, with what came meanwhile; the line strays. */
        synchronized void putBack(WaitingChange failed) {
            WaitingChange newer = next;
            if (newer != null) {
                newer.after(failed);
            } else {
                next = failed;
            }
            stray = true;
        }

        /** From now on it has no turn. */
        void strays() {
            stray = true;
        }

        /** It has, or is about to have, a turn; whether it had none. */
        boolean found() {
            boolean was = stray;
            stray = false;
            return was;
        }
    }

    private final Map<SessionKey, Line> lines = new ConcurrentHashMap<>();
    private final AtRisk atRisk;
    private final Consumer<Line> turns;
    private final Consumer<Line> turn;

    /**
     * @param turns gives a line a turn, or throws
     * @param turn is what a line does then
     */
    Lines(AtRisk atRisk, Consumer<Line> turns, Consumer<Line> turn) {
        this.atRisk = atRisk;
        this.turns = turns;
        this.turn = turn;
    }

    /** Puts a change behind those that its session has here. */
    WaitingChange put(long application, SessionDelta delta, long ageMillis, long nowMillis, Acks acks) {
        while (true) {
            Line known = lines.get(delta.key());
            Line line = known == null ? new Line(delta.key(), turn) : known;
            synchronized (line) {
                if (!line.ended && (known != null || lines.putIfAbsent(line.key, line) == null)) {
                    WaitingChange waiting = line.next;
                    if (waiting != null && !waiting.failed()) {
                        waiting.join(delta, nowMillis, acks);
                        return waiting;
                    }
                    try {
                        WaitingChange newer =
                                new WaitingChange(application, delta, nowMillis - ageMillis, nowMillis, acks, atRisk);
                        begin(line, newer, waiting);
                        return newer;
                    } finally {
                        endIfEmpty(line);
                    }
                }
            }
        }
    }

    /**
     * @param failed the change that could not be sent before, if any: the threads that wait for the newer one do not
     *     wait for its next try
     */
    @GuardedBy("line")
    private void begin(Line line, WaitingChange newer, @Nullable WaitingChange failed) {
        boolean begun = false;
        try {
            if (line.sending == null) {
                turns.accept(line); // Which waits for the line's lock.
            }
            if (failed != null) {
                newer.after(failed);
            }
            line.next = newer;
            begun = true;
        } finally {
            if (!begun) {
                newer.giveUp();
            }
        }
    }

    @GuardedBy("line")
    private void endIfEmpty(Line line) {
        if (line.next == null && line.sending == null) {
            line.ended = true;
            lines.remove(line.key);
        }
    }

    /**
     * Nothing of the line is being sent any more.
     *
     * @return whether it needs a turn
     */
    boolean release(Line line) {
        synchronized (line) {
            line.sending = null;
            endIfEmpty(line);
            return line.next != null && !line.stray;
        }
    }

    /** None of all this will be sent. */
    void abandon() {
        changes().forEach(WaitingChange::abandon);
    }

    /** Completes when every change that is here now has a place in the order, or never will. */
    CompletableFuture<Void> numbered() {
        return CompletableFuture.allOf(changes().map(WaitingChange::numbered).toArray(CompletableFuture<?>[]::new));
    }

    private Stream<WaitingChange> changes() {
        return lines.values().stream()
                .flatMap(line -> Stream.concat(Stream.ofNullable(line.next), Stream.ofNullable(line.sending)));
    }

    Collection<Line> all() {
        return lines.values();
    }

    int size() {
        return lines.size();
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }
}
