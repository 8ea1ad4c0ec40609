package io.understudy.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tries every order in which things can happen in a small world. */
public final class EveryOrder {

    /**
     * A few members and what goes on between them. Its {@code toString} has all that can make a difference to what happens
     * next.
     */
    public interface World<E> {

        /** What can happen next. */
        List<E> next();

        /** @throws AssertionError if that breaks a rule */
        void apply(E event);

        /** @throws AssertionError if it is not as the rules say */
        void check();
    }

    private EveryOrder() {}

    /**
     * Reaches every state, and looks at one world of each.
     *
     * @return how many there are
     * @throws AssertionError with the events that led to it
     */
    public static <E, W extends World<E>> int explore(Supplier<W> start, Consumer<W> look) {
        Set<Long> seen = new HashSet<>();
        Deque<List<E>> open = new ArrayDeque<>();
        open.push(List.of());
        while (!open.isEmpty()) {
            List<E> path = open.pop();
            W world = replay(start, path);
            boolean fresh = true;
            while (fresh) {
                look.accept(world);
                List<E> events = world.next();
                fresh = false;
                for (int i = 0; i < events.size(); i++) {
                    List<E> longer = new ArrayList<>(path);
                    longer.add(events.get(i));
                    // A replay costs as much as its path is long: the last event goes on with the world that is there.
                    boolean last = i == events.size() - 1;
                    W next = last ? step(world, events.get(i), longer) : replay(start, longer);
                    if (seen.add(fingerprint(next.toString()))) {
                        if (last) {
                            path = longer;
                            fresh = true;
                        } else {
                            open.push(longer);
                        }
                    }
                }
            }
        }
        return seen.size();
    }

    private static <E, W extends World<E>> W replay(Supplier<W> start, List<E> path) {
        W world = start.get();
        try {
            path.forEach(world::apply);
            world.check();
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + " after " + path, e);
        }
        return world;
    }

    private static <E, W extends World<E>> W step(W world, E event, List<E> path) {
        try {
            world.apply(event);
            world.check();
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + " after " + path, e);
        }
        return world;
    }

    /** 64 bits: of a million states two are taken for one with a probability of 1 to 40 million. */
    private static long fingerprint(String text) {
        long hash = 1125899906842597L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return hash;
    }
}
