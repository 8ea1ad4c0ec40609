package io.understudy.cluster;

import io.understudy.cluster.messaging.FrameSender;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.TimeSource;
import io.understudy.wire.Frame.Touch;
import io.understudy.wire.Frame.Touches;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Uses of sessions that changed nothing and that the other members do not know yet: the last one of each session.
 *
 * <p>Threads: any.
 */
final class PendingTouches {

    /** Uses in one frame: about 150 KB. */
    private static final int MAX_TOUCHES = 8192;

    private final FrameSender letters;
    private final ReplicationMetrics metrics;
    private final TimeSource time;
    private final long number;

    /** Here {@link Touch#idleMillis()} is when, by the monotonic clock. */
    private final Map<SessionKey, Touch> touches = new ConcurrentHashMap<>();

    /** @param number the application's */
    PendingTouches(FrameSender letters, ReplicationMetrics metrics, TimeSource time, long number) {
        this.letters = letters;
        this.metrics = metrics;
        this.time = time;
        this.number = number;
    }

    /** The session was used just now. */
    void note(SessionKey key, Stamp lastUse) {
        touches.put(key, new Touch(key, lastUse, time.monotonicMillis()));
    }

    /** The others may have missed this use; a later one counts more. */
    void repeat(SessionKey key, Stamp lastUse, long usedAt) {
        touches.putIfAbsent(key, new Touch(key, lastUse, usedAt));
    }

    /** A change that goes out tells of the use, too. */
    void sent(SessionKey key) {
        touches.remove(key);
    }

    /** Sends all; what can't be sent stays. */
    void send() {
        long now = time.monotonicMillis();
        List<Map.Entry<SessionKey, Touch>> noted = List.copyOf(touches.entrySet());
        for (int from = 0; from < noted.size(); from += MAX_TOUCHES) {
            send(noted.subList(from, Math.min(noted.size(), from + MAX_TOUCHES)), now);
        }
    }

    private void send(List<Map.Entry<SessionKey, Touch>> noted, long now) {
        List<Touch> part = new ArrayList<>(noted.size());
        for (Map.Entry<SessionKey, Touch> each : noted) {
            Touch touch = each.getValue();
            part.add(new Touch(each.getKey(), touch.lastUse(), Math.max(0, now - touch.idleMillis())));
        }
        letters.sendToAll(new Touches(number, List.copyOf(part)));
        metrics.count(Counter.TOUCHES_SENT, part.size());
        noted.forEach(sent -> touches.remove(sent.getKey(), sent.getValue())); // Unless it was used again.
    }
}
