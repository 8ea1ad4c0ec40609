package io.understudy.store;

import io.understudy.store.World.Member;

/** Who is together with whom in a {@link World}, and how that changes: splits, heals and crashes. */
final class Views {

    private Views() {}

    /** The view changed: what was under way between those who are apart now is lost, and all who are together compare. */
    private static void view(World world) {
        world.underWay.removeIf(message -> !world.together(message.from(), message.to()));
        world.comparisons = 0;
        for (int from = 0; from < world.members.length; from++) {
            for (int to = 0; to < world.members.length; to++) {
                if (from != to && world.together(from, to)) {
                    world.comparisons |= world.bit(from, to);
                }
            }
        }
    }

    /** Cuts one member off from those it is together with. */
    static void split(World world, int member) {
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
        normalizeSides(world);
        view(world);
    }

    private static void normalizeSides(World world) {
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

    static void heal(World world, int sideA, int sideB) {
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
        normalizeSides(world);
        view(world);
    }

    /** The member dies and starts again with nothing, as a member that nobody has met. */
    static void crash(World world, int member) {
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
        view(world);
    }
}
