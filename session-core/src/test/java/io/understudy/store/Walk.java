package io.understudy.store;

import io.understudy.store.Exploration.Begun;
import io.understudy.store.Exploration.Request;
import io.understudy.store.World.Kind;
import io.understudy.store.World.Member;
import io.understudy.store.World.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A thread's part of an {@link Exploration}: depth first, from worlds that it takes out of the common queue.
 *
 * <p>Threads: one per object; states and queue are common.
 */
final class Walk {

    /** One thing that happens. */
    private interface Step {
        void in(Steps steps);
    }

    /** Its text is made only for a schedule that breaks a law. */
    private record Event(String name, Object subject) {
        @Override
        public String toString() {
            return name + " " + subject;
        }
    }

    private final Steps steps;
    private final int budget;
    private final Set<Request> kinds;
    private final int[][] orders;
    private final int[][] asTheyAre;
    private final SeenStates seen;
    private final Queue<Begun> queue;
    private final int queueFrom;
    private final Canon canon;
    private final List<Object> path = new ArrayList<>();
    private Consumer<World> entering = this::enter;
    private boolean fromQueue;
    private long taken;

    /** @param queueFrom worlds with this many events are not entered but queued, if they were not taken from there */
    Walk(
            Steps steps,
            Set<Request> kinds,
            int budget,
            int[][] orders,
            SeenStates seen,
            Queue<Begun> queue,
            int queueFrom) {
        this.steps = steps;
        this.canon = new Canon(steps::state, steps.sameClocks(), kinds.contains(Request.USE));
        this.kinds = kinds;
        this.budget = budget;
        this.orders = orders;
        this.asTheyAre = new int[][] {IntStream.range(0, orders[0].length).toArray()};
        this.seen = seen;
        this.queue = queue;
        this.queueFrom = queueFrom;
    }

    /** Enters the first world, and all others up to those that are queued. */
    void begin() {
        entered(steps.begin());
    }

    /** Enters the queued ones until none is left. */
    void goOn() {
        fromQueue = true;
        for (Begun begun = queue.poll(); begun != null; begun = queue.poll()) {
            path.clear();
            path.addAll(begun.path());
            entered(begun.world());
        }
    }

    /** @throws AssertionError with the schedule that broke a law */
    private void entered(World world) {
        try {
            enter(world);
        } catch (Laws.BrokenException e) {
            throw new AssertionError(
                    e.getMessage() + "\n  after "
                            + path.stream().map(String::valueOf).collect(Collectors.joining("\n        ")),
                    e);
        }
    }

    long taken() {
        return taken;
    }

    /** The worlds that one more event, and what is delivered before it, lead to. */
    List<World> next(World world) {
        List<World> next = new ArrayList<>();
        entering = next::add;
        if (world.comparisons != 0) {
            take(world, "all compare", Steps::compareAll);
        }
        events(world);
        return next;
    }

    private void enter(World world) {
        Laws.always(world);
        if (world.events == queueFrom && !fromQueue) {
            queue.add(new Begun(world, List.copyOf(path)));
            return;
        }
        SeenStates.Found found = seen.add(hash(world), budget - world.events);
        if (found == SeenStates.Found.KNOWN) {
            return;
        }
        if (found == SeenStates.Found.NEW) {
            settle(world);
        }
        if (world.comparisons != 0) {
            take(world, "all compare", Steps::compareAll);
        }
        if (world.events < budget) {
            events(world);
        }
    }

    /** Of this world, and of all that differ from it in nothing that can matter. */
    long hash(World world) {
        return hash(world, orders);
    }

    private long hash(World world, int[][] orders) {
        steps.from(world);
        long[] next = new long[world.members.length];
        for (int i = 0; i < next.length; i++) {
            next[i] = steps.nextTime(i);
        }
        return canon.of(world, next, orders);
    }

    /** Delivers all, first to last and last to first: what must hold when nothing is under way. */
    private void settle(World world) {
        for (boolean lastFirst : new boolean[] {false, true}) {
            path.add(lastFirst ? "the rest is delivered, last first" : "the rest is delivered");
            World after = steps.from(world);
            while (!after.quiet()) {
                if (after.underWay.isEmpty() || (lastFirst && after.comparisons != 0)) {
                    steps.compareAll();
                } else {
                    steps.deliver(lastFirst ? after.underWay.size() - 1 : 0, false);
                    taken++;
                }
                Laws.always(after);
            }
            Laws.quiet(after);
            path.remove(path.size() - 1);
            if (world.underWay.size() < 2 && world.comparisons == 0) {
                return;
            }
        }
    }

    private void events(World world) {
        int size = world.members.length;
        boolean[] sides = new boolean[size];
        int[] inSide = new int[size];
        for (int i = 0; i < size; i++) {
            Member member = world.members[i];
            sides[member.side] = true;
            inSide[member.side]++;
            int at = i;
            afterDelivery(world, message -> message.to() == at, before -> requests(before, at));
        }
        for (int i = 0; i < size; i++) {
            int member = i;
            int side = world.members[i].side;
            if (inSide[side] > 1 && !(inSide[side] == 2 && firstOfSide(world, i))) {
                afterDelivery(
                        world,
                        message -> message.to() == member || message.from() == member,
                        before -> event(before, "split off", member, s -> s.split(member)));
            }
            if (world.members[i].stored != null) {
                afterDelivery(
                        world,
                        message -> message.from() == member,
                        before -> event(before, "crash and restart of", member, s -> s.crash(member)));
            }
        }
        for (int a = 0; a < size; a++) {
            for (int b = a + 1; b < size; b++) {
                if (sides[a] && sides[b]) {
                    int one = a;
                    int other = b;
                    event(world, "heal " + a + " and", b, s -> s.heal(one, other));
                }
            }
        }
        for (int i = 0; i < world.underWay.size(); i++) {
            int index = i;
            if (!inTurn(world, i)) {
                event(world, "out of turn", world.underWay.get(i), s -> s.deliver(index, false));
            } else if (world.underWay.get(i).kind() != Kind.STATE) {
                event(world, "and keep it,", world.underWay.get(i), s -> s.deliver(index, true));
            }
        }
        if (kinds.contains(Request.USE) && world.quiet()) {
            event(world, "a minute passes", "", s -> s.pass(ReplicaStore.HOLLOW_AFTER_MILLIS + 1));
            event(world, "the horizon passes", "", s -> s.pass(Steps.HORIZON_MILLIS + 2 * Tombstones.MARGIN_MILLIS));
        }
    }

    /**
     * Does {@code then} after every choice of those messages was delivered, in every order: what a member answers that is asked
     * for the whole session depends on what it was told before.
     */
    private void afterDelivery(World world, Predicate<Message> eligible, Consumer<World> then) {
        afterDelivery(world, eligible, new HashSet<>(), then);
    }

    private void afterDelivery(World world, Predicate<Message> eligible, Set<Long> met, Consumer<World> then) {
        then.accept(world);
        for (int i = 0; i < world.underWay.size(); i++) {
            Message message = world.underWay.get(i);
            if (eligible.test(message) && inTurn(world, i)) {
                taken++;
                World after = steps.from(world);
                steps.deliver(i, false);
                if (met.add(hash(after, asTheyAre))) {
                    path.add(message);
                    Laws.always(after);
                    afterDelivery(after, eligible, met, then);
                    path.remove(path.size() - 1);
                }
            }
        }
    }

    private static boolean inTurn(World world, int index) {
        Message message = world.underWay.get(index);
        for (int i = 0; i < index; i++) {
            if (message.follows(world.underWay.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean firstOfSide(World world, int member) {
        for (int i = 0; i < member; i++) {
            if (world.together(i, member)) {
                return false;
            }
        }
        return true;
    }

    private void requests(World world, int member) {
        StoredReplica stored = world.members[member].stored;
        if (stored == null || !stored.replica().live()) {
            return;
        }
        request(Request.WRITE, world, member, s -> s.write(member, false));
        if (stored.replica().attributes().containsKey("x")) {
            request(Request.REMOVE, world, member, s -> s.write(member, true));
        }
        request(Request.RENAME, world, member, s -> s.rename(member));
        request(Request.INVALIDATE, world, member, s -> s.invalidate(member));
        request(Request.EXPIRE, world, member, s -> s.expire(member));
        request(Request.USE, world, member, s -> s.use(member));
        if (!steps.state(stored).renames().rivals().isEmpty()) {
            request(Request.RETIRE, world, member, s -> s.retire(member));
        }
    }

    private void request(Request kind, World world, int member, Step step) {
        if (kinds.contains(kind)) {
            event(world, kind.on, member, step);
        }
    }

    private void event(World world, String name, Object subject, Step step) {
        take(world, new Event(name, subject), s -> {
            s.event();
            step.in(s);
        });
    }

    private void take(World world, Object name, Step step) {
        taken++;
        path.add(name);
        World after = steps.from(world);
        step.in(steps);
        entering.accept(after);
        path.remove(path.size() - 1);
    }
}
