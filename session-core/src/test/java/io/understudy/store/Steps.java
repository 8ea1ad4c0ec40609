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
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
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
    /** Of the session, at most. */
    static final List<String> ATTRIBUTES = List.of("a", "x");

    static final long HORIZON_MILLIS = 1_000_000;

    private static final long NOON = 1_800_000_000_000L;
    private static final BitSet ALL = new BitSet();

    static {
        ALL.set(0, SessionDigest.BUCKETS);
    }

    private static final Known.Rest ALWAYS = new Known.Rest(0, 0, 0, 0, 0);

    private final MemberRules rules;
    private final long[] skewMillis;
    private final Interned interned = new Interned();
    private final Map<Kind, Known<Merged>> merges = new EnumMap<>(Kind.class);
    private final Known<Boolean> known = new Known<>();
    private final Known<Boolean> pulls = new Known<>();
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

    boolean sameClocks() {
        return Arrays.stream(skewMillis).distinct().count() == 1;
    }

    /** All that a replica knows of its session. */
    SessionDelta state(StoredReplica stored) {
        return interned.state(stored);
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
            store.pulled(interned.state(stored), world.now - stored.createdAt(), idle);
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

    private void publish(int member, SessionDelta made, HybridClock clock) {
        SessionDelta delta = interned.one(made);
        Member of = world.change(member);
        of.clock = Math.max(of.clock, clock.next().time() - 1);
        of.stored = interned.one(merged(Kind.CHANGE, of, delta, 0, 0).after());
        tell(of, delta, 0, 0);
        send(Kind.CHANGE, member, delta);
    }

    private void send(Kind kind, int from, SessionDelta made) {
        SessionDelta delta = interned.one(made);
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
                && (to.toldInvalid || !tellsOfIds(message, to))
                && known.get(
                        stored,
                        message.delta(),
                        () -> stored.replica().merge(message.delta()) == stored.replica(),
                        ALWAYS);
    }

    private static boolean tellsOfIds(Message message, Member to) {
        return (message.made() & ~to.made) != 0 || (message.replaced() & ~to.replaced) != 0;
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
        Merged merged = merged(message.kind(), member, delta, world.now, message.idleMillis());
        member.stored = interned.one(merged.after());
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

    private Merged merged(Kind kind, Member member, SessionDelta delta, long ageMillis, long idleMillis) {
        return merges.computeIfAbsent(kind, all -> new Known<>())
                .get(
                        member.stored,
                        delta,
                        () -> switch (kind) {
                            case TOUCH -> rules.use(store(member), KEY, delta.lastUse());
                            case CHANGE -> rules.merge(store(member), delta, ageMillis, idleMillis);
                            case STATE -> rules.pulled(store(member), delta, ageMillis, idleMillis);
                        },
                        new Known.Rest(world.now, ageMillis, idleMillis, member.forgottenEnd, member.apartSince));
    }

    /** {@code from} answers a question for whole sessions, if it has the session whole. */
    private void answerState(int from, int to) {
        Member holder = world.members[from];
        StoredReplica stored = holder.stored;
        if (stored != null && world.together(from, to)) {
            long idle = stored.replica().live() ? 0 : world.now - stored.endedAt();
            boolean over = stored.replica().invalidated(); // Then nobody asks for its ids any more.
            put(new Message(
                    Kind.STATE,
                    from,
                    to,
                    interned.state(stored),
                    idle,
                    over ? 0 : holder.made,
                    over ? 0 : holder.replaced));
        }
    }

    void compare(int from, int to) {
        world.comparisons &= ~world.bit(from, to);
        Member theirs = world.members[from];
        Member ours = world.members[to];
        boolean differ = pulls.get(
                theirs.stored,
                ours.stored,
                () -> pulls(theirs, ours),
                new Known.Rest(world.now, 0, 0, ours.forgottenEnd, ours.apartSince));
        if (differ) {
            answerState(from, to);
        }
    }

    private boolean pulls(Member from, Member to) {
        Comparison theirs = store(from).comparison();
        Comparison ours = store(to).comparison();
        BitSet differing = ours.differing(theirs.sums());
        return !ours.toPull(theirs.digests(differing, null, 10), world.now).isEmpty();
    }

    void compareAll() {
        for (int from = 0; from < world.members.length; from++) {
            for (int to = 0; to < world.members.length; to++) {
                if ((world.comparisons & world.bit(from, to)) != 0) {
                    compare(from, to);
                }
            }
        }
    }

    /** Cuts one member off from those it is together with. */
    void split(int member) {
        Views.split(world, member);
    }

    void heal(int sideA, int sideB) {
        Views.heal(world, sideA, sideB);
    }

    /** The member dies and starts again with nothing, as a member that nobody has met. */
    void crash(int member) {
        Views.crash(world, member);
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
