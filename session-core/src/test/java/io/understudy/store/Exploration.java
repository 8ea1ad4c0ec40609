package io.understudy.store;

import io.understudy.store.World.Kind;
import io.understudy.store.World.Member;
import io.understudy.store.World.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Every schedule of a number of events, with every order of delivery in between, on members that follow the product's
 * rules. Worlds that differ in nothing that can matter are entered once.
 *
 * <p>Threads: one per object.
 */
final class Exploration {

    /** One thing that happens. */
    private interface Step {
        void in(Steps steps);
    }

    private final Steps steps;
    private final int budget;
    private final boolean more;
    private final SeenStates seen = new SeenStates();
    private final Canon canon = new Canon();
    private final List<String> path = new ArrayList<>();
    private long taken;
    private long quiet;

    /**
     * @param skewMillis how far each member's clock is off
     * @param budget events at most
     */
    Exploration(MemberRules rules, boolean more, int budget, long... skewMillis) {
        this.more = more;
        this.steps = new Steps(rules, skewMillis);
        this.budget = budget;
    }

    /**
     * Enters every world.
     *
     * @return how many different ones there are
     * @throws AssertionError with the schedule that broke a law
     */
    int run() {
        World first = steps.begin();
        try {
            enter(first);
        } catch (Laws.BrokenException e) {
            throw new AssertionError(e.getMessage() + "\n  after " + String.join("\n        ", path), e);
        }
        return seen.size();
    }

    long taken() {
        return taken;
    }

    long quietStates() {
        return quiet;
    }

    private void enter(World world) {
        Laws.always(world);
        if (!seen.add(hash(world), budget - world.events)) {
            return;
        }
        settle(world);
        if (world.comparisons != 0) {
            take(world, "all compare", Steps::compareAll);
        }
        if (world.events < budget) {
            events(world);
        }
    }

    private long hash(World world) {
        steps.from(world);
        long[] next = new long[world.members.length];
        for (int i = 0; i < next.length; i++) {
            next[i] = steps.nextTime(i);
        }
        return canon.of(world, next);
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
            quiet++;
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
            afterDelivery(world, message -> message.to() == at, 0, before -> requests(before, at));
        }
        for (int i = 0; i < size; i++) {
            int member = i;
            int side = world.members[i].side;
            if (inSide[side] > 1 && !(inSide[side] == 2 && firstOfSide(world, i))) {
                afterDelivery(
                        world,
                        message -> message.to() == member || message.from() == member,
                        0,
                        before -> event(before, "split off " + member, s -> s.split(member)));
            }
            if (world.members[i].stored != null) {
                afterDelivery(
                        world,
                        message -> message.from() == member,
                        0,
                        before -> event(before, "crash and restart of " + member, s -> s.crash(member)));
            }
        }
        for (int a = 0; a < size; a++) {
            for (int b = a + 1; b < size; b++) {
                if (sides[a] && sides[b]) {
                    int one = a;
                    int other = b;
                    event(world, "heal " + a + " and " + b, s -> s.heal(one, other));
                }
            }
        }
        for (int i = 0; i < world.underWay.size(); i++) {
            int index = i;
            if (world.underWay.get(i).kind() != Kind.STATE) {
                event(world, "deliver and keep " + world.underWay.get(i), s -> s.deliver(index, true));
            }
        }
        if (more && world.quiet()) {
            event(world, "a minute passes", s -> s.pass(ReplicaStore.HOLLOW_AFTER_MILLIS + 1));
            event(world, "the horizon passes", s -> s.pass(Steps.HORIZON_MILLIS + 2 * Tombstones.MARGIN_MILLIS));
        }
    }

    /**
     * Does {@code then} after every choice of those messages was delivered. Only the choice matters to what comes next, as
     * deliveries to different members do not depend on each other, and merges not on their order.
     */
    private void afterDelivery(World world, Predicate<Message> eligible, int from, Consumer<World> then) {
        then.accept(world);
        for (int i = from; i < world.underWay.size(); i++) {
            Message message = world.underWay.get(i);
            if (eligible.test(message)) {
                taken++;
                path.add("deliver " + message);
                World after = steps.from(world);
                steps.deliver(i, false);
                Laws.always(after);
                afterDelivery(after, eligible, i, then);
                path.remove(path.size() - 1);
            }
        }
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
        event(world, "write on " + member, s -> s.write(member, false));
        if (stored.replica().attributes().containsKey("x")) {
            event(world, "remove on " + member, s -> s.write(member, true));
        }
        event(world, "rename on " + member, s -> s.rename(member));
        event(world, "invalidate on " + member, s -> s.invalidate(member));
        event(world, "expire on " + member, s -> s.expire(member));
        if (more) {
            event(world, "use on " + member, s -> s.use(member));
        }
        if (more && !stored.replica().asDelta().renames().rivals().isEmpty()) {
            event(world, "a response on " + member + " replaces a rival id", s -> s.retire(member));
        }
    }

    private void event(World world, String name, Step step) {
        take(world, name, s -> {
            s.event();
            step.in(s);
        });
    }

    private void take(World world, String name, Step step) {
        taken++;
        path.add(name);
        World after = steps.from(world);
        step.in(steps);
        enter(after);
        path.remove(path.size() - 1);
    }

    /** Explores the small form, or with numbers of events for 2 and 3 members as arguments. */
    public static void main(String[] arguments) {
        int two = Integer.parseInt(arguments[0]);
        int three = Integer.parseInt(arguments[1]);
        long hour = 3_600_000;
        for (long[] skew : new long[][] {{0, 0}, {0, -hour}, {0, hour}, {0, 0, 0}, {0, -hour, hour}}) {
            int events = skew.length == 2 ? two : three;
            long start = System.nanoTime();
            Exploration exploration =
                    new Exploration(MemberRules.PRODUCT, Boolean.parseBoolean(arguments[2]), events, skew);
            int states = exploration.run();
            System.out.printf(
                    "%d members, %d events: %d states, %d steps, %d quiet, %d ms%n",
                    skew.length,
                    events,
                    states,
                    exploration.taken,
                    exploration.quiet,
                    (System.nanoTime() - start) / 1_000_000);
        }
    }
}
