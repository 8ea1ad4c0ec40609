package io.understudy.store;

import io.understudy.replica.HybridClock;
import io.understudy.replica.Renames;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import io.understudy.replica.TimeSource;
import io.understudy.store.World.Kind;
import io.understudy.store.World.Member;
import io.understudy.store.World.Message;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * What can happen to a {@link World}, done by the product's rules: the replica store, the clock, the comparison.
 *
 * <p>Threads: one per object.
 */
final class Steps implements TimeSource {

    static final SessionKey KEY = new SessionKey(7);
    static final long HORIZON_MILLIS = 1_000_000;

    private static final long NOON = 1_800_000_000_000L;
    private static final BitSet ALL = new BitSet();

    static {
        ALL.set(0, SessionDigest.BUCKETS);
    }

    private final MemberRules rules;
    private final long[] skewMillis;
    private World world = new World(0);
    private long monotonic;
    private long wall;

    /** @param skewMillis how far each member's clock is off */
    Steps(MemberRules rules, long[] skewMillis) {
        this.rules = rules;
        this.skewMillis = skewMillis;
    }

    @Override
    public long wallMillis() {
        return wall;
    }

    @Override
    public long monotonicMillis() {
        return monotonic;
    }

    /** A session made on the first member, on its way to the others. */
    World begin() {
        world = new World(skewMillis.length);
        world.now = 100 * HORIZON_MILLIS;
        HybridClock clock = clock(0);
        Stamp created = clock.next();
        SessionDelta bare = SessionDelta.created(KEY, created, "a", 1800);
        SessionDelta delta = new SessionDelta(
                KEY,
                true,
                bare.id(),
                bare.maxInactiveSeconds(),
                bare.lastUse(),
                Map.of("a", MemberRules.write(created), "x", MemberRules.write(created)),
                null,
                created,
                bare.renames());
        world.change(0).made = 1;
        publish(0, delta, clock);
        return world;
    }

    /** All later steps are of this copy of {@code from}. */
    World from(World from) {
        world = from.copy();
        return world;
    }

    /** The wall clock moves with every event, so that stamps of later events are higher where clocks agree. */
    void event() {
        world.events++;
    }

    HybridClock clock(int member) {
        wall = NOON + skewMillis[member] + world.events;
        Member of = world.members[member];
        HybridClock clock = new HybridClock(() -> wall, member * 16L + of.start + 1);
        clock.observe(of.clock);
        return clock;
    }

    /** Where the clock stands: its next stamp is above, and at least at the wall clock. */
    long nextTime(int member) {
        Member of = world.members[member];
        return Math.max(of.clock + 1, (NOON + skewMillis[member] + world.events) << 16);
    }

    private ReplicaStore store(Member member) {
        Tombstones tombstones = new Tombstones(HORIZON_MILLIS, 1000);
        ReplicaStore store = new ReplicaStore(this, tombstones);
        StoredReplica stored = member.stored;
        if (stored != null) {
            monotonic = world.now;
            long idle = stored.replica().live() ? 0 : world.now - stored.endedAt();
            store.pulled(stored.replica().asDelta(), world.now - stored.createdAt(), idle);
        }
        if (member.forgottenEnd != Long.MIN_VALUE) {
            tombstones.forget(
                    new StoredReplica(SessionReplica.of(SessionDelta.invalidated(KEY)), 0, 0, member.forgottenEnd));
        }
        if (member.apartSince != Long.MIN_VALUE) {
            tombstones.apart(member.apartSince);
        }
        monotonic = world.now;
        return store;
    }

    private SessionReplica replica(int member) {
        StoredReplica stored = world.members[member].stored;
        if (stored == null) {
            throw new IllegalStateException("no session on member " + member);
        }
        return stored.replica();
    }

    // Events of requests

    void write(int member, boolean removal) {
        HybridClock clock = clock(member);
        SessionReplica replica = replica(member);
        Stamp stamp = rules.stampOfWrite(clock, replica, "x");
        StampedBytes value = removal ? StampedBytes.tombstone(stamp) : MemberRules.write(stamp);
        Stamp use = replica.used(clock);
        publish(member, new SessionDelta(KEY, false, null, null, use, Map.of("x", value), null), clock);
        StampedBytes held = replica(member).attribute("x");
        Laws.require(
                !world.members[member].live() || value.equals(held),
                "a write beats what it overwrites: " + value + ", " + held);
    }

    void use(int member) {
        HybridClock clock = clock(member);
        Stamp use = replica(member).used(clock);
        Member of = world.change(member);
        of.clock = Math.max(of.clock, use.time());
        of.stored = rules.use(store(of), KEY, use).after();
        tell(of, SessionDelta.touched(KEY, use), 0, 0);
        send(Kind.TOUCH, member, SessionDelta.touched(KEY, use));
    }

    void invalidate(int member) {
        publish(member, SessionDelta.invalidated(KEY), clock(member));
    }

    void expire(int member) {
        Stamp lastUse = replica(member).lastUse();
        publish(
                member,
                lastUse == null ? SessionDelta.invalidated(KEY) : SessionDelta.expired(KEY, lastUse),
                clock(member));
    }

    void rename(int member) {
        world.renames++;
        HybridClock clock = clock(member);
        SessionReplica replica = replica(member);
        SessionDelta renamed = SessionDelta.join(
                replica.renamed(clock, String.valueOf((char) ('a' + world.renames))),
                SessionDelta.touched(KEY, replica.used(clock)));
        Member of = world.change(member);
        of.replaced |= Laws.mask(replica.ids());
        of.made |= 1 << world.renames;
        publish(member, renamed, clock);
    }

    /** The holder of a rival id gets a response with the current one. */
    void retire(int member) {
        SessionReplica replica = replica(member);
        Stamped<String> rival = replica.asDelta().renames().rivals().get(0);
        HybridClock clock = clock(member);
        SessionDelta retired = replica.retired(clock, rival.value());
        if (retired != null) {
            world.change(member).replaced |= Laws.mask(List.of(rival.value()));
            publish(member, retired, clock);
        }
    }

    private void publish(int member, SessionDelta delta, HybridClock clock) {
        Member of = world.change(member);
        of.clock = Math.max(of.clock, clock.next().time() - 1);
        of.stored = rules.merge(store(of), delta, 0, 0).after();
        tell(of, delta, 0, 0);
        send(Kind.CHANGE, member, delta);
    }

    private void send(Kind kind, int from, SessionDelta delta) {
        Member sender = world.members[from];
        for (int to = 0; to < world.members.length; to++) {
            if (to != from && world.together(from, to)) {
                boolean ids = delta.id() != null;
                boolean renames = ids || !delta.renames().equals(Renames.NONE);
                put(new Message(kind, from, to, delta, 0, ids ? sender.made : 0, renames ? sender.replaced : 0));
            }
        }
    }

    private void put(Message message) {
        if (!useless(message)) {
            world.underWay.add(message);
        }
    }

    /** Delivering what is known already changes nothing, so it counts as delivered. */
    @SuppressWarnings("ReferenceEquality") // A merge that says nothing new gives the same object.
    private boolean useless(Message message) {
        Member to = world.members[message.to()];
        StoredReplica stored = to.stored;
        return rules.product()
                && stored != null
                && !stored.replica().parked()
                && !(message.delta().ended() && stored.replica().live())
                && (to.made | message.made()) == to.made
                && (to.replaced | message.replaced()) == to.replaced
                && stored.replica().merge(message.delta()) == stored.replica();
    }

    private static void tell(Member member, SessionDelta delta, int made, int replaced) {
        member.toldInvalid |= delta.ending() != null && delta.ending().invalidated();
        member.toldUse = Laws.later(member.toldUse, delta.lastUse());
        member.toldJudged = Laws.later(
                member.toldJudged,
                delta.ending() == null ? null : delta.ending().judged());
        StampedBytes written = delta.attributes().get("x");
        member.toldWrite = Laws.later(member.toldWrite, written == null ? null : written.stamp());
        member.made |= made;
        member.replaced |= replaced;
    }

    // What happens between members

    void deliver(int index, boolean again) {
        Message message = world.underWay.get(index);
        if (!again) {
            world.underWay.remove(index);
        }
        int to = message.to();
        SessionDelta delta = message.delta();
        Member member = world.change(to);
        if (delta.lastUse() != null) {
            HybridClock clock = clock(to);
            clock.observe(delta.lastUse().time());
            member.clock = Math.max(member.clock, clock.next().time() - 1);
        }
        Merged merged = switch (message.kind()) {
            case TOUCH -> rules.use(store(member), KEY, delta.lastUse());
            case CHANGE -> rules.merge(store(member), delta, world.now, message.idleMillis());
            case STATE -> rules.pulled(store(member), delta, world.now, message.idleMillis());
        };
        member.stored = merged.after();
        tell(member, delta, message.made(), message.replaced());
        if (merged.refused()) {
            member.toldInvalid = true;
            send(Kind.CHANGE, to, SessionDelta.invalidated(KEY));
        }
        if (merged.yielded()) {
            send(
                    Kind.TOUCH,
                    to,
                    SessionDelta.touched(KEY, merged.after().replica().lastUse()));
        }
        if (merged.incomplete() && message.kind() != Kind.STATE) {
            answerState(message.from(), to);
        }
        if (rules.asksAll(merged)) {
            for (int other = 0; other < world.members.length; other++) {
                if (other != to) {
                    answerState(other, to);
                }
            }
        }
        for (Iterator<Message> rest = world.underWay.iterator(); rest.hasNext(); ) {
            Message other = rest.next();
            if (other.to() == to && useless(other)) {
                rest.remove();
            }
        }
    }

    /** {@code from} answers a question for whole sessions, if it has the session whole. */
    private void answerState(int from, int to) {
        Member holder = world.members[from];
        StoredReplica stored = holder.stored;
        if (stored != null && world.together(from, to)) {
            long idle = stored.replica().live() ? 0 : world.now - stored.endedAt();
            put(new Message(Kind.STATE, from, to, stored.replica().asDelta(), idle, holder.made, holder.replaced));
        }
    }

    void compare(int from, int to) {
        world.comparisons &= ~bit(from, to);
        Comparison theirs = store(world.members[from]).comparison();
        Comparison ours = store(world.members[to]).comparison();
        BitSet differing = ours.differing(theirs.sums());
        if (!ours.toPull(theirs.digests(differing, null, 10), world.now).isEmpty()) {
            answerState(from, to);
        }
    }

    void compareAll() {
        for (int from = 0; from < world.members.length; from++) {
            for (int to = 0; to < world.members.length; to++) {
                if ((world.comparisons & bit(from, to)) != 0) {
                    compare(from, to);
                }
            }
        }
    }

    int bit(int from, int to) {
        return 1 << (from * world.members.length + to);
    }

    /** The view changed: what was under way between those who are apart now is lost, and all who are together compare. */
    private void view() {
        world.underWay.removeIf(message -> !world.together(message.from(), message.to()));
        world.comparisons = 0;
        for (int from = 0; from < world.members.length; from++) {
            for (int to = 0; to < world.members.length; to++) {
                if (from != to && world.together(from, to)) {
                    world.comparisons |= bit(from, to);
                }
            }
        }
    }

    /** Cuts one member off from those it is together with. */
    void split(int member) {
        int side = 0;
        boolean[] taken = new boolean[world.members.length + 1];
        for (Member other : world.members) {
            taken[other.side] = true;
        }
        while (taken[side]) {
            side++;
        }
        int left = world.members[member].side;
        world.change(member).side = side;
        for (int other = 0; other < world.members.length; other++) {
            if (world.members[other].side == left) {
                world.change(other).leftAt[member] = world.now;
                world.change(member).leftAt[other] = world.now;
            }
        }
        normalizeSides();
        view();
    }

    private void normalizeSides() {
        int[] names = new int[world.members.length + 1];
        int next = 1;
        for (int i = 0; i < world.members.length; i++) {
            int side = world.members[i].side;
            if (names[side] == 0) {
                names[side] = next++;
            }
            world.change(i).side = names[side] - 1;
        }
    }

    void heal(int sideA, int sideB) {
        int size = world.members.length;
        long[] apart = new long[size];
        for (int i = 0; i < size; i++) {
            apart[i] = Long.MAX_VALUE;
            for (int j = 0; j < size; j++) {
                int side = world.members[i].side;
                int other = world.members[j].side;
                if ((side == sideA && other == sideB) || (side == sideB && other == sideA)) {
                    apart[i] = Math.min(apart[i], world.members[i].leftAt[j]);
                }
            }
        }
        for (int i = 0; i < size; i++) {
            Member member = world.change(i);
            if (apart[i] < Long.MAX_VALUE && apart[i] > 0) {
                member.apartSince = apart[i];
            }
            if (member.side == sideB) {
                member.side = sideA;
            }
        }
        normalizeSides();
        view();
    }

    /** The member dies and starts again with nothing, as a member that nobody has met. */
    void crash(int member) {
        world.underWay.removeIf(message -> message.from() == member || message.to() == member);
        Member old = world.members[member];
        Member started = new Member(world.members.length);
        started.side = old.side;
        started.start = old.start + 1;
        world.members[member] = started;
        for (int other = 0; other < world.members.length; other++) {
            if (other != member) {
                world.change(other).leftAt[member] = 0;
            }
        }
        view();
    }

    /** Time passes; only where nothing is under way. */
    void pass(long millis) {
        world.now += millis;
        for (int i = 0; i < world.members.length; i++) {
            Member member = world.members[i];
            if (member.stored == null) {
                continue;
            }
            StoredReplica stored = member.stored;
            Tombstones tombstones = new Tombstones(HORIZON_MILLIS, 1000);
            ReplicaStore store = new ReplicaStore(this, tombstones);
            monotonic = world.now;
            store.pulled(
                    stored.replica().asDelta(),
                    world.now - stored.createdAt(),
                    stored.replica().live() ? 0 : world.now - stored.endedAt());
            store.sweep();
            StoredReplica left = store.get(KEY);
            if (left == null || !left.equals(stored)) {
                Member changed = world.change(i);
                changed.stored = left;
                if (left == null && stored.replica().invalidated()) {
                    changed.forgottenEnd = Math.max(changed.forgottenEnd, stored.endedAt());
                }
                if (left == null || !left.replica().live()) {
                    // What an ended session held is gone here, and with it what this member could vouch for.
                    changed.toldWrite = null;
                    changed.made = 0;
                    changed.replaced = 0;
                    changed.toldJudged = left == null ? null : changed.toldJudged;
                    changed.toldUse = left == null ? null : changed.toldUse;
                }
            }
        }
    }
}
