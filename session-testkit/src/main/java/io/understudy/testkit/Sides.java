package io.understudy.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which members reach each other in a small world, by number: those of one side do, and no others. */
public final class Sides {

    /** A change of the sides. */
    public sealed interface Change {
        record Crash(int member) implements Change {}

        record Join(int member) implements Change {}

        record Split(Set<Integer> side, Set<Integer> other) implements Change {}

        record Merge() implements Change {}
    }

    private final List<Set<Integer>> sides = new ArrayList<>();
    private final Set<Integer> dead = new TreeSet<>();

    /** @param begin the members that are there from the beginning, on one side */
    public Sides(Set<Integer> begin) {
        sides.add(new TreeSet<>(begin));
    }

    /**
     * Changes the sides. A new member joins the first side.
     *
     * @return the sides that are new, or have other members than before
     */
    public List<Set<Integer>> change(Change change) {
        List<Set<Integer>> changed = new ArrayList<>();
        if (change instanceof Change.Crash crash) {
            dead.add(crash.member());
            sides.stream().filter(side -> side.remove(crash.member())).forEach(changed::add);
            sides.removeIf(Set::isEmpty);
            changed.removeIf(Set::isEmpty);
        } else if (change instanceof Change.Join join) {
            sides.get(0).add(join.member());
            changed.add(sides.get(0));
        } else {
            Set<Integer> all = all();
            sides.clear();
            if (change instanceof Change.Split split) {
                sides.add(new TreeSet<>(split.side()));
                sides.add(new TreeSet<>(split.other()));
            } else {
                sides.add(all);
            }
            changed.addAll(sides);
        }
        return changed;
    }

    public boolean alive(int member) {
        return sides.stream().anyMatch(side -> side.contains(member));
    }

    /** Whether it was there and crashed. */
    public boolean dead(int member) {
        return dead.contains(member);
    }

    public boolean connected(int member, int other) {
        return sides.stream().anyMatch(side -> side.contains(member) && side.contains(other));
    }

    /** All that are alive. */
    public Set<Integer> all() {
        Set<Integer> all = new TreeSet<>();
        sides.forEach(all::addAll);
        return all;
    }

    /** The side that members join. */
    public Set<Integer> first() {
        return sides.get(0);
    }

    @Override
    public String toString() {
        return sides + " dead " + dead;
    }
}
