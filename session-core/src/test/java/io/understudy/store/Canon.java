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
    private final int[] place = new int[8];

    /**
     * The hash of this world where members are told apart by their places in one of these orders only: the lowest of all
     * orders.
     */
    long of(World world, long[] nextTimes, int[][] orders) {
        times(world, nextTimes);
        long lowest = Long.MAX_VALUE;
        for (int[] order : orders) {
            for (int i = 0; i < order.length; i++) {
                place[order[i]] = i;
            }
            lowest = Math.min(lowest, hash(world, nextTimes, order));
        }
        return lowest;
    }

    private void times(World world, long[] nextTimes) {
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

    private long hash(World world, long[] nextTimes, int[] order) {
        hash = 0;
        int size = order.length;
        int sides = 0;
        int[] names = new int[size];
        for (int i = 0; i < size; i++) {
            Member member = world.members[order[i]];
            put(rankOf(nextTimes[order[i]]));
            if (names[member.side] == 0) {
                names[member.side] = ++sides;
            }
            put(names[member.side]);
            put(member.forgottenEnd == Long.MIN_VALUE ? -1 : world.now - member.forgottenEnd);
            put(member.apartSince == Long.MIN_VALUE ? -1 : world.now - member.apartSince);
            for (int j = 0; j < size; j++) {
                put(world.members[order[j]].side == member.side ? -1 : world.now - member.leftAt[order[j]]);
                put(world.comparisons >> (order[i] * size + order[j]) & 1);
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
        for (int i = 0; i < world.underWay.size(); i++) {
            Message message = world.underWay.get(i);
            hash = message.kind().name().charAt(0);
            put(place[message.from()] * 8L + place[message.to()]);
            put(earlier(world, i));
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

    /** How many messages of its kind were sent before it from the same to the same member. */
    private static int earlier(World world, int index) {
        Message message = world.underWay.get(index);
        int earlier = 0;
        for (int i = 0; i < index; i++) {
            earlier += message.follows(world.underWay.get(i)) ? 1 : 0;
        }
        return earlier;
    }

    private void put(long value) {
        long z = (hash ^ value) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 32)) * 0xBF58476D1CE4E5B9L;
        hash = (z ^ (z >>> 29)) + 0x94D049BB133111EBL;
    }

    private void put(@Nullable Stamp stamp) {
        put(stamp == null ? -1 : (rankOf(stamp.time()) << 8) + place[(int) (stamp.origin() >> 4)]);
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
