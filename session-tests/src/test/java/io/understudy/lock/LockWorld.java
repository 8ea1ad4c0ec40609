package io.understudy.lock;

import io.understudy.replica.Rendezvous;
import io.understudy.replica.SessionKey;
import io.understudy.testkit.EveryOrder;
import io.understudy.testkit.Sides;
import io.understudy.testkit.Sides.Change;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A few members that lock one session, with everything that can happen next as an event: claims, releases, clients that
 * give up, each message, each member's entry into a view, crashes, joins, splits and merges. It checks after each event
 * what a lock promises.
 */
final class LockWorld implements EveryOrder.World<LockWorld.Event> {

    /** How messages are treated that the rules are made for, or not made for. */
    enum Network {
        IN_ORDER,
        UNORDERED,
        LOSING
    }

    /**
     * @param home of the session at the beginning
     * @param homeOfAll of the session when all members are there
     * @param members numbered from 0; those in {@code begin} are there from the beginning
     * @param claims how many requests each member has
     * @param cancels how many requests that wait give up
     * @param reminders how often a home asks for what it misses
     * @param doubts how often a member is not sure of what it did and told
     * @param changes happen in this order, at any time
     */
    record Scenario(
            int home,
            int homeOfAll,
            int members,
            Set<Integer> begin,
            List<Integer> claims,
            int cancels,
            int reminders,
            int doubts,
            List<Change> changes) {}

    enum Kind {
        CLAIM,
        RELEASE,
        CANCEL,
        REMIND,
        DOUBT,
        DOUBT_LOSING,
        DELIVER,
        DELIVER_SECOND,
        LOSE,
        ENTER,
        SKIP,
        CHANGE
    }

    /** What {@code from} and {@code to} are depends on the kind. */
    record Event(Kind kind, int from, long to) {
        @Override
        public String toString() {
            return kind + " " + from + " " + to;
        }
    }

    private record Link(int from, int to) implements Comparable<Link> {
        @Override
        public int compareTo(Link other) {
            return from != other.from ? Integer.compare(from, other.from) : Integer.compare(to, other.to);
        }

        /** Those of records take most of an exploration's time, on JDK 17. */
        @Override
        public String toString() {
            return from + ">" + to;
        }
    }

    /** @param view the one its member was in */
    private record Grant(int member, long request, long fence, LockView<Integer> view) {
        @Override
        public String toString() {
            return member + " " + request + " " + fence + " " + view;
        }
    }

    private final Scenario scenario;
    private final Network network;
    private final SessionKey key;
    private final List<SessionLocks<Integer>> locks = new ArrayList<>();
    private final Map<Link, Deque<LockMessage>> links = new TreeMap<>();
    private final List<Deque<LockView<Integer>>> views = new ArrayList<>();
    private final List<LockView<Integer>> entered = new ArrayList<>();
    private final List<Map<Long, Long>> held = new ArrayList<>();
    private final List<Set<Long>> waiting = new ArrayList<>();
    private final List<Integer> claims;
    private final Sides sides;
    private final List<Grant> grants = new ArrayList<>();

    private int cancels;
    private int reminders;
    private int doubts;
    private int changes;
    private long number = 1;

    LockWorld(Scenario scenario, Network network) {
        this.scenario = scenario;
        this.network = network;
        this.key = keyOf(scenario);
        this.claims = new ArrayList<>(scenario.claims());
        this.cancels = scenario.cancels();
        this.reminders = scenario.reminders();
        this.doubts = scenario.doubts();
        for (int member = 0; member < scenario.members(); member++) {
            locks.add(new SessionLocks<>(member));
            views.add(new ArrayDeque<>());
            entered.add(new LockView<>(new LockView.Tag(0, member), List.of(member)));
            held.add(new TreeMap<>());
            waiting.add(new TreeSet<>());
        }
        sides = new Sides(scenario.begin());
        announce(List.of(sides.first()));
        // All have entered the first view: how they did is what later views show.
        scenario.begin().forEach(member -> apply(new Event(Kind.ENTER, member, 0)));
        while (!links.isEmpty()) {
            Link link = links.keySet().iterator().next();
            apply(new Event(Kind.DELIVER, link.from(), link.to()));
        }
    }

    private static SessionKey keyOf(Scenario scenario) {
        List<Integer> begin = List.copyOf(new TreeSet<>(scenario.begin()));
        List<Integer> all = IntStream.range(0, scenario.members()).boxed().toList();
        for (long value = 1; ; value++) {
            SessionKey key = new SessionKey(value);
            if (Rendezvous.of(key, begin) == scenario.home() && Rendezvous.of(key, all) == scenario.homeOfAll()) {
                return key;
            }
        }
    }

    private void announce(List<Set<Integer>> changed) {
        number++;
        for (Set<Integer> side : changed) {
            int creator = side.iterator().next();
            LockView<Integer> view = new LockView<>(new LockView.Tag(number, creator), List.copyOf(side));
            side.forEach(member -> views.get(member).add(view));
        }
    }

    @Override
    public List<Event> next() {
        List<Event> events = new ArrayList<>();
        for (int member = 0; member < scenario.members(); member++) {
            if (!sides.alive(member)) {
                continue;
            }
            if (claims.get(member) > 0) {
                events.add(new Event(Kind.CLAIM, member, 0));
            }
            for (long request : held.get(member).keySet()) {
                events.add(new Event(Kind.RELEASE, member, request));
            }
            for (long request : waiting.get(member)) {
                if (cancels > 0) {
                    events.add(new Event(Kind.CANCEL, member, request));
                }
            }
            if (reminders > 0) {
                events.add(new Event(Kind.REMIND, member, 0));
            }
            if (doubts > 0) {
                events.add(new Event(Kind.DOUBT, member, 0));
            }
            if (!views.get(member).isEmpty()) {
                events.add(new Event(Kind.ENTER, member, 0));
            }
            if (views.get(member).size() > 1) {
                events.add(new Event(Kind.SKIP, member, 0));
            }
        }
        links.forEach((link, messages) -> {
            events.add(new Event(Kind.DELIVER, link.from(), link.to()));
            if (network == Network.UNORDERED && messages.size() > 1) {
                events.add(new Event(Kind.DELIVER_SECOND, link.from(), link.to()));
            }
            if (doubts > 0) {
                events.add(new Event(Kind.DOUBT_LOSING, link.from(), link.to()));
            }
            if (network == Network.LOSING || !sides.connected(link.from(), link.to())) {
                events.add(new Event(Kind.LOSE, link.from(), link.to()));
            }
        });
        if (changes < scenario.changes().size()) {
            events.add(new Event(Kind.CHANGE, 0, 0));
        }
        return events;
    }

    @Override
    public void apply(Event event) {
        int member = event.from();
        switch (event.kind()) {
            case CLAIM -> {
                claims.set(member, claims.get(member) - 1);
                waiting.get(member).add(locks.get(member).nextRequest());
                handle(member, locks.get(member).claim(key));
            }
            case RELEASE -> {
                held.get(member).remove(event.to());
                handle(member, locks.get(member).release(event.to()));
            }
            case CANCEL -> {
                cancels--;
                waiting.get(member).remove(event.to());
                handle(member, locks.get(member).release(event.to()));
            }
            case REMIND -> {
                reminders--;
                handle(member, locks.get(member).remind());
            }
            case DOUBT -> doubt(member);
            case DOUBT_LOSING -> {
                links.remove(new Link(member, (int) event.to())); // Its receiver had no memory for them.
                doubt((int) event.to());
            }
            case DELIVER -> deliver(new Link(member, (int) event.to()), false);
            case DELIVER_SECOND -> deliver(new Link(member, (int) event.to()), true);
            case LOSE -> links.remove(new Link(member, (int) event.to()));
            case ENTER -> {
                LockView<Integer> view = views.get(member).remove();
                entered.set(member, view);
                handle(member, locks.get(member).enter(view));
            }
            case SKIP -> views.get(member).remove();
            case CHANGE -> change(scenario.changes().get(changes++));
        }
    }

    private void doubt(int member) {
        doubts--;
        locks.get(member).unsure();
        handle(member, locks.get(member).remind());
    }

    private void deliver(Link link, boolean second) {
        Deque<LockMessage> messages = links.get(link);
        LockMessage first = messages.remove();
        LockMessage message = second ? messages.remove() : first;
        if (second) {
            messages.addFirst(first);
        }
        if (messages.isEmpty()) {
            links.remove(link);
        }
        handle(link.to(), locks.get(link.to()).receive(link.from(), message));
    }

    private void change(Change change) {
        if (change instanceof Change.Crash crash) {
            int member = crash.member();
            views.get(member).clear();
            held.get(member).clear();
            waiting.get(member).clear();
            links.keySet().removeIf(link -> link.to() == member);
        }
        announce(sides.change(change));
    }

    private void handle(int member, List<LockOutput<Integer>> outputs) {
        for (LockOutput<Integer> output : outputs) {
            if (output instanceof LockOutput.Send<Integer> send) {
                if (!sides.dead(send.to())) {
                    links.computeIfAbsent(new Link(member, send.to()), link -> new ArrayDeque<>())
                            .add(send.message());
                }
            } else if (output instanceof LockOutput.Granted<Integer> granted) {
                granted(member, granted.request(), granted.fence());
            }
        }
    }

    private void granted(int member, long request, long fence) {
        if (held.get(member).getOrDefault(request, 0L) == fence) {
            return; // Told again, by a member in doubt.
        }
        if (!waiting.get(member).remove(request)) {
            throw new AssertionError("granted to " + member + ", which does not wait with request " + request);
        }
        LockView<Integer> view = entered.get(member);
        for (Grant earlier : grants) {
            // A member that has gone on to a view without this one locks for itself.
            boolean apart = earlier.view().tag().number() > view.tag().number()
                    && !earlier.view().members().contains(member);
            if (!view.members().contains(earlier.member()) || apart) {
                continue;
            }
            if (held.get(earlier.member()).containsKey(earlier.request())) {
                throw new AssertionError("granted to " + member + " while " + earlier + " holds");
            }
            if (fence <= earlier.fence()) {
                throw new AssertionError("fence " + fence + " granted after " + earlier);
            }
        }
        grants.add(new Grant(member, request, fence, view));
        held.get(member).put(request, fence);
    }

    /** When nothing more will happen by itself, whoever waits waits for somebody that holds the lock. */
    @Override
    public void check() {
        if (!links.isEmpty() || views.stream().anyMatch(view -> !view.isEmpty())) {
            return;
        }
        for (int member = 0; member < scenario.members(); member++) {
            if (!waiting.get(member).isEmpty()
                    && entered.get(member).members().stream()
                            .allMatch(other -> held.get(other).isEmpty())) {
                throw new AssertionError("nobody holds the lock, but " + member + " waits: " + this);
            }
        }
    }

    /** How many hold the lock, in all views. */
    long holders() {
        return held.stream().mapToLong(Map::size).sum();
    }

    /** All that can make a difference to what happens next. */
    @Override
    public String toString() {
        return locks + "|" + links + "|" + views + "|" + held + "|" + waiting + "|" + claims + "|" + sides + "|"
                + grants + "|" + cancels + "|" + reminders + "|" + doubts + "|" + changes;
    }
}
