package io.understudy.store;

import io.understudy.replica.Ending;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.store.World.Member;
import io.understudy.store.World.Message;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
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
    private long[] members = {};
    private long[] messages = {};
    private final Function<StoredReplica, SessionDelta> state;

    private final boolean sameClocks;
    private final boolean timePasses;

    /** A bit for each id that can still be met: any other name of it makes no difference. */
    private int letters;

    /**
     * @param state all that a replica knows of its session
     * @param sameClocks whether all members' clocks agree: each event has a time of its own then, and who made a stamp decides nothing
     * @param timePasses whether there are events by which time passes: else no end is ever forgotten, and who was away for how long decides nothing
     */
    Canon(Function<StoredReplica, SessionDelta> state, boolean sameClocks, boolean timePasses) {
        this.state = state;
        this.sameClocks = sameClocks;
        this.timePasses = timePasses;
    }

    /**
     * The hash of this world where members are told apart by their places in one of these orders only: the lowest of all
     * orders. What does not depend on places is hashed once; orders matter only among members in which that is equal.
     */
    long of(World world, long[] nextTimes, int[][] orders) {
        times(world, nextTimes);
        for (int i = 0; i < place.length; i++) {
            place[i] = i;
        }
        members = new long[world.members.length];
        for (int i = 0; i < members.length; i++) {
            members[i] = member(world, world.members[i], nextTimes[i]);
        }
        messages = new long[world.underWay.size()];
        for (int i = 0; i < messages.length; i++) {
            messages[i] = message(world, i);
        }
        long lowest = Long.MAX_VALUE;
        for (int[] order : orders) {
            if (orders.length == 1 || sorted(order)) {
                for (int i = 0; i < order.length; i++) {
                    place[order[i]] = i;
                }
                lowest = Math.min(lowest, hash(world, order));
            }
        }
        return lowest;
    }

    private boolean sorted(int[] order) {
        for (int i = 1; i < order.length; i++) {
            if (members[order[i - 1]] > members[order[i]]) {
                return false;
            }
        }
        return true;
    }

    private void times(World world, long[] nextTimes) {
        count = 0;
        letters = 0;
        for (long time : nextTimes) {
            add(time);
        }
        for (Member member : world.members) {
            if (member.stored != null) {
                collect(state.apply(member.stored));
            }
            if (!member.toldInvalid) {
                collect(member.toldUse);
                collect(member.toldJudged);
                collect(member.toldWrite);
                letters |= member.made & ~member.replaced;
            }
        }
        for (Message message : world.underWay) {
            collect(message.delta());
            letters |= message.made() & ~message.replaced();
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
            letters |= bit(delta.id());
        }
        if (delta.ending() != null) {
            collect(delta.ending().judged());
        }
        for (StampedBytes value : delta.attributes().values()) {
            add(value.stamp().time());
        }
        delta.renames().replaced().forEach(this::collect);
        delta.renames().rivals().forEach(rival -> {
            add(rival.stamp().time());
            letters |= bit(rival);
        });
    }

    private static int bit(Stamped<String> id) {
        return Laws.mask(List.of(id.value()));
    }

    /** The ids of {@code mask}, named by their order among those that can still be met. */
    private int named(int mask) {
        int named = 0;
        int name = 1;
        for (int left = letters; left != 0; left &= left - 1) {
            named |= (mask & Integer.lowestOneBit(left)) == 0 ? 0 : name;
            name <<= 1;
        }
        return named;
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

    private long member(World world, Member member, long nextTime) {
        hash = 0;
        put(rankOf(nextTime));
        if (timePasses) {
            put(member.forgottenEnd == Long.MIN_VALUE ? -1 : world.now - member.forgottenEnd);
            put(member.apartSince == Long.MIN_VALUE ? -1 : world.now - member.apartSince);
        }
        if (member.toldInvalid) {
            put(1); // What else it was told is of no matter: no law asks for it any more.
        } else {
            put(0);
            put(member.toldUse);
            put(member.toldJudged);
            put(member.toldWrite);
            put(named(member.made));
            put(named(member.replaced));
        }
        if (member.stored == null) {
            put(-2);
        } else {
            put(!member.stored.replica().live() ? world.now - member.stored.endedAt() : 0);
            put(state.apply(member.stored));
        }
        return hash;
    }

    private long message(World world, int index) {
        Message message = world.underWay.get(index);
        hash = 0;
        put(message.kind().name().charAt(0));
        put(earlier(world, index));
        put(named(message.made()));
        put(named(message.replaced()));
        put(message.idleMillis());
        put(message.delta());
        return hash;
    }

    private long hash(World world, int[] order) {
        long flights = 0;
        for (int i = 0; i < messages.length; i++) {
            Message message = world.underWay.get(i);
            hash = messages[i];
            put(place[message.from()] * 8L + place[message.to()]);
            flights += hash;
        }
        hash = 0;
        int size = order.length;
        int sides = 0;
        int[] names = new int[size];
        for (int i = 0; i < size; i++) {
            Member member = world.members[order[i]];
            put(members[order[i]]);
            if (names[member.side] == 0) {
                names[member.side] = ++sides;
            }
            put(names[member.side]);
            for (int j = 0; j < size; j++) {
                if (timePasses) {
                    put(world.members[order[j]].side == member.side ? -1 : since(world, member.leftAt[order[j]]));
                }
                put(world.comparisons >> (order[i] * size + order[j]) & 1);
            }
        }
        put(flights);
        return hash;
    }

    private static long since(World world, long at) {
        return at == 0 ? -2 : world.now - at;
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
        put(stamp == null ? -1 : (rankOf(stamp.time()) << 8) + (sameClocks ? 0 : place[(int) (stamp.origin() >> 4)]));
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
        for (String name : Steps.ATTRIBUTES) {
            StampedBytes value = delta.attributes().get(name);
            put(value == null ? null : value.stamp());
            put(value == null || value.bytes() == null ? 1 : 2);
        }
        delta.renames().replaced().forEach(this::put);
        put(-3);
        delta.renames().rivals().forEach(this::put);
    }

    private void put(@Nullable Stamped<String> id) {
        put(id == null ? null : id.stamp());
        if (id != null) {
            put(named(bit(id)));
        }
    }
}
