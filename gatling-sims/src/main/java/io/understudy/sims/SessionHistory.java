package io.understudy.sims;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one client knows of its session, and the judge of every answer it gets.
 *
 * <p>Each value has a lower bound, raised by every acknowledged write and every value seen, never lowered; and an upper
 * bound, raised by every write sent. An answer below the lower bound has lost a write that was acknowledged, or showed
 * one that was there and is not any more; an answer above the upper bound made a write twice. A write without
 * acknowledgement raises only the upper bound: it may or may not have happened.
 *
 * <p>Threads: one at a time.
 */
final class SessionHistory {

    /** What an answer proves. */
    enum Finding {
        /** The session is gone, or another one answered. */
        LOST_SESSION,
        /** An acknowledged write is not there. */
        LOST_WRITE,
        /** A write was made more than once. */
        REPEATED_WRITE,
        /** A node failed by itself, with status 500: no outage explains that. */
        NODE_ERROR,
        /** The client waited for an answer, over all its attempts, longer than any outage explains. */
        STALL
    }

    private static final int SERVER_ERROR = 500;

    /** The longest wait that is no {@link Finding#STALL}, in nanoseconds: twice the default {@code ackTimeout}, and more. */
    private static final long STALL_NANOS = 15_000_000_000L;

    private static final double NANOS_PER_SECOND = 1e9;

    private static final class Bounds {
        private int low;
        private int high;
    }

    private final String user;
    private final Tally tally;
    private final Map<String, Bounds> bounds = new HashMap<>();
    private @Nullable String session;
    private boolean sessionLost;
    private boolean writeLost;
    private boolean nodeErred;
    private boolean stalled;
    private boolean settled;
    private boolean waiting;
    private long waitingSinceNanos;

    SessionHistory(String user, Tally tally) {
        this.user = user;
        this.tally = tally;
    }

    String user() {
        return user;
    }

    /** Whether a log-in was acknowledged: from then on the session must stay. */
    boolean loggedIn() {
        return session != null;
    }

    /** The last read was answered, after all writes: nothing is left open. */
    boolean settled() {
        return settled;
    }

    /** Read back at the end, and always the same session. */
    boolean sessionKept() {
        return loggedIn() && settled && !sessionLost;
    }

    /** Read back at the end, and every answer within its bounds. */
    boolean writesKept() {
        return sessionKept() && !writeLost;
    }

    /** Whether the last request had no answer: then the client asks again, until it has one. */
    boolean waiting() {
        return waiting;
    }

    /** No wait for an answer was a {@link Finding#STALL}. */
    boolean neverStalled() {
        return !stalled;
    }

    /** No node failed by itself. */
    boolean noNodeErred() {
        return !nodeErred;
    }

    /** Takes the answer to a log-in. */
    void logIn(Answer answer) {
        Answer.Shop shop = answer.shop();
        boolean done = shop != null && shop.session() != null && user.equals(shop.user());
        time("log-in", answer, done);
        if (shop == null || !done) {
            tally.failed("log-in", answer);
            return;
        }
        session = shop.session();
        tally.loggedIn(shop.node());
    }

    /** Takes the answer to a write that adds to a value. An answer shows the write it answers. */
    void write(String value, int added, Answer answer) {
        Bounds expected = bounds.computeIfAbsent(value, name -> new Bounds());
        expected.high += added;
        Answer.Shop shop = answer.shop();
        if (shop == null) {
            judge("write", answer);
            return;
        }
        expected.low += added;
        boolean mine = judge("write", answer);
        if (shop.degraded()) {
            // Seen here, and promised nowhere.
            expected.low -= added;
            tally.degraded(shop.node());
        } else if (mine) {
            tally.acknowledged(shop.node());
        }
    }

    /** Takes the answer to a read. */
    void read(Answer answer) {
        Answer.Shop shop = answer.shop();
        if (judge("read", answer) && shop != null) {
            tally.read(shop.node());
        }
    }

    /** Takes the answer to a read after the last write. */
    void readLast(Answer answer) {
        read(answer);
        settled |= answer.shop() != null;
    }

    /** Notes that the log-in or the last read was never answered, however often it was sent. */
    void giveUp() {
        if (!settled) {
            lose("no node", "answered the " + (loggedIn() ? "last read" : "log-in"));
        }
    }

    /** Returns whether the answer came from this session. */
    private boolean judge(String what, Answer answer) {
        Answer.Shop shop = answer.shop();
        if (shop == null && (answer.status() == 0 || answer.status() >= SERVER_ERROR)) {
            time(what, answer, false);
            tally.failed(what, answer);
            if (answer.status() == SERVER_ERROR) {
                nodeErred = true;
                find(Finding.NODE_ERROR, "a node", "failed at a " + what + " with status " + SERVER_ERROR);
            }
            return false;
        }
        time(what, answer, true);
        if (shop == null) {
            // 4xx, a redirect or foreign content: this node does not take the request for one of a live session.
            lose("an intermediary or the shop", "answered status " + answer.status() + " to a " + what);
            return false;
        }
        if (!user.equals(shop.user()) || session == null || !session.equals(shop.session())) {
            lose(
                    shop.node(),
                    "answered a " + what + " with session " + shop.session() + " of user " + shop.user() + ", expected "
                            + session);
            return false;
        }
        bounds.forEach(
                (value, expected) -> compare(value, expected, shop.values().getOrDefault(value, 0), shop));
        return true;
    }

    private void time(String what, Answer answer, boolean done) {
        long now = System.nanoTime();
        boolean again = waiting;
        if (!again) {
            waitingSinceNanos = now - answer.nanos();
        }
        waiting = !done;
        long waited = now - waitingSinceNanos;
        if (done) {
            tally.waited(waited, again);
        }
        if (!stalled && waited > STALL_NANOS) {
            stalled = true;
            find(Finding.STALL, "the shop", String.format("let a %s wait for %.1f s", what, waited / NANOS_PER_SECOND));
        }
    }

    private void lose(String node, String detail) {
        // Counted once: everything after it is a consequence.
        if (!sessionLost) {
            sessionLost = true;
            find(Finding.LOST_SESSION, node, detail);
        }
    }

    private void compare(String value, Bounds expected, int actual, Answer.Shop shop) {
        if (actual < expected.low) {
            writeLost = true;
            find(Finding.LOST_WRITE, shop.node(), detail(value, expected, actual));
        } else if (actual > expected.high) {
            writeLost = true;
            find(Finding.REPEATED_WRITE, shop.node(), detail(value, expected, actual));
            expected.high = actual;
        }
        // A degraded answer promises nothing. A loss counts once: what is there now is the new base.
        if (!shop.degraded()) {
            expected.high -= Math.max(0, expected.low - actual);
            expected.low = actual;
        }
    }

    private static String detail(String value, Bounds expected, int actual) {
        return "answered " + value + " = " + actual + ", expected " + expected.low
                + (expected.high > expected.low ? " to " + expected.high : "");
    }

    private void find(Finding finding, String node, String detail) {
        tally.found(finding, user + ": " + node + " " + detail);
    }
}
