package io.understudy.sims;

import org.jspecify.annotations.Nullable;

/**
 * One client's measurement: it writes on one node and looks at another one until the write is there.
 *
 * <p>Threads: one at a time.
 */
final class VisibilityProbe {

    /** How long a write may take to be visible before it counts as lost, in nanoseconds. */
    private static final long NEVER_NANOS = 10_000_000_000L;

    private final String user;
    private final Latencies latencies;
    private @Nullable String session;
    private int counter;
    private long sentNanos;
    private long answeredNanos;
    private boolean looking;
    private boolean sawStale;
    private boolean lostSight;
    private int seen;

    VisibilityProbe(String user, Latencies latencies) {
        this.user = user;
        this.latencies = latencies;
    }

    boolean loggedIn() {
        return session != null;
    }

    /** Whether a write is acknowledged, not seen yet, and still to be looked for. */
    boolean looking() {
        return looking;
    }

    /** At least one write was made, and each acknowledged one was seen on the other node in time. */
    boolean allVisible() {
        return seen > 0 && !lostSight;
    }

    /** Each write was there at the first look after its answer. */
    boolean neverStale() {
        return seen > 0 && !sawStale;
    }

    void logIn(Answer answer) {
        Answer.Shop shop = answer.shop();
        if (shop != null && user.equals(shop.user())) {
            session = shop.session();
        }
    }

    void send(long nowNanos) {
        sentNanos = nowNanos;
    }

    /** Takes the answer to a write; only an acknowledged one is looked for. */
    void written(Answer answer, long nowNanos) {
        Answer.Shop shop = answer.shop();
        looking = shop != null && isMine(shop) && !shop.degraded();
        if (looking && shop != null) {
            counter = shop.values().getOrDefault(Answer.Shop.COUNTER, 0);
            answeredNanos = nowNanos;
            latencies.answered(nowNanos - sentNanos);
        } else {
            latencies.unacknowledged();
        }
    }

    /** Takes what another node answered. */
    void looked(Answer answer, long nowNanos) {
        Answer.Shop shop = answer.shop();
        if (shop != null && isMine(shop) && shop.values().getOrDefault(Answer.Shop.COUNTER, 0) >= counter) {
            looking = false;
            seen++;
            latencies.visible(nowNanos - sentNanos, nowNanos - answeredNanos);
            return;
        }
        sawStale = true;
        latencies.stale();
        if (nowNanos - answeredNanos > NEVER_NANOS) {
            looking = false;
            lostSight = true;
            latencies.neverVisible();
        }
    }

    private boolean isMine(Answer.Shop shop) {
        return user.equals(shop.user()) && session != null && session.equals(shop.session());
    }
}
