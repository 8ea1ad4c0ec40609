package io.understudy.store;

import io.understudy.replica.Ending;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.store.World.Member;
import io.understudy.store.World.Message;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A hash of a {@link World}: equal for worlds that differ only in when things happened, not in what can follow. Times
 * count by their order and by their distance up to {@link #FAR}, beyond which no write of the rest of a schedule can
 * reach.
 *
 * <p>Threads: one per object.
 */
final class Canon {

    /** More ticks than all events of a schedule take. */
    private static final long FAR = 64;

    private long[] times = new long[64];
    private int count;
    private long hash;

    long of(World world, long[] nextTimes) {
        count = 0;
        for (long time : nextTimes) {
            add(time);
        }
        for (Member member : world.members) {
            if (member.stored != null) {
                collect(member.stored.replica().asDelta());
            }
            collect(member.toldUse);
            collect(member.toldJudged);
            collect(member.toldWrite);
        }
        for (Message message : world.underWay) {
            collect(message.delta());
        }
        rank();
        return hash(world, nextTimes);
    }

    private void add(long time) {
        if (count == times.length) {
            times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] = time;
    }

    private void collect(@Nullable Stamp stamp) {
        if (stamp != null) {
            add(stamp.time());
        }
    }

    private void collect(SessionDelta delta) {
        collect(delta.lastUse());
        collect(delta.created());
        if (delta.id() != null) {
            add(delta.id().stamp().time());
        }
        if (delta.ending() != null) {
            collect(delta.ending().judged());
        }
        for (StampedBytes value : delta.attributes().values()) {
            add(value.stamp().time());
        }
        delta.renames().replaced().forEach(this::collect);
        delta.renames().rivals().forEach(rival -> add(rival.stamp().time()));
    }

    private long[] ranks = new long[64];

    private void rank() {
        Arrays.sort(times, 0, count);
        int unique = 0;
        for (int i = 0; i < count; i++) {
            if (unique == 0 || times[i] != times[unique - 1]) {
                times[unique++] = times[i];
            }
        }
        count = unique;
        if (ranks.length < count) {
            ranks = new long[times.length];
        }
        for (int i = 0; i < count; i++) {
            ranks[i] = i == 0 ? 0 : ranks[i - 1] + Math.min(FAR, times[i] - times[i - 1]);
        }
    }

    private long rankOf(long time) {
        return ranks[Arrays.binarySearch(times, 0, count, time)];
    }

    private long hash(World world, long[] nextTimes) {
        hash = 0;
        put(world.comparisons);
        for (int i = 0; i < world.members.length; i++) {
            Member member = world.members[i];
            put(rankOf(nextTimes[i]));
            put(member.side);
            put(member.forgottenEnd == Long.MIN_VALUE ? -1 : world.now - member.forgottenEnd);
            put(member.apartSince == Long.MIN_VALUE ? -1 : world.now - member.apartSince);
            for (int j = 0; j < world.members.length; j++) {
                put(world.members[j].side == member.side ? -1 : world.now - member.leftAt[j]);
            }
            put(member.toldInvalid ? 1 : 0);
            put(member.toldUse);
            put(member.toldJudged);
            put(member.toldWrite);
            put(member.made);
            put(member.replaced);
            if (member.stored == null) {
                put(-2);
            } else {
                put(!member.stored.replica().live() ? world.now - member.stored.endedAt() : 0);
                put(member.stored.replica().asDelta());
            }
        }
        long flights = 0;
        long before = hash;
        for (Message message : world.underWay) {
            hash = message.kind().name().charAt(0);
            put(message.from() * 8L + message.to());
            put(message.made());
            put(message.replaced());
            put(message.idleMillis());
            put(message.delta());
            flights += hash;
        }
        hash = before;
        put(flights);
        return hash;
    }

    private void put(long value) {
        long z = (hash ^ value) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 32)) * 0xBF58476D1CE4E5B9L;
        hash = (z ^ (z >>> 29)) + 0x94D049BB133111EBL;
    }

    private void put(@Nullable Stamp stamp) {
        put(stamp == null ? -1 : (rankOf(stamp.time()) << 8) + (stamp.origin() >> 4));
    }

    private void put(SessionDelta delta) {
        put(delta.complete() ? 1 : 0);
        put(delta.lastUse());
        put(delta.id());
        Ending ending = delta.ending();
        put(ending == null ? 0 : ending.invalidated() ? 1 : 2);
        if (ending != null) {
            put(ending.judged());
        }
        Map<String, StampedBytes> attributes =
                delta.attributes().size() > 1 ? new TreeMap<>(delta.attributes()) : delta.attributes();
        for (Map.Entry<String, StampedBytes> attribute : attributes.entrySet()) {
            put(attribute.getKey().charAt(0));
            put(attribute.getValue().stamp());
            put(attribute.getValue().bytes() == null ? 1 : 2);
        }
        delta.renames().replaced().forEach(this::put);
        put(-3);
        delta.renames().rivals().forEach(this::put);
    }

    private void put(@Nullable Stamped<String> id) {
        put(id == null ? null : id.stamp());
        if (id != null) {
            put(id.value().charAt(0));
        }
    }
}
