package io.understudy.store;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.Stamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All members' state of one session and all that is under way between them, at one moment of a schedule. Copied for each
 * step.
 */
final class World {

    /** What is under way. */
    enum Kind {
        CHANGE,
        TOUCH,
        STATE
    }

    /**
     * A message, and what the test knows of it.
     *
     * @param made the ids that renames before it had made, by number
     * @param replaced the ids that renames before it had replaced
     */
    record Message(Kind kind, int from, int to, SessionDelta delta, long idleMillis, int made, int replaced) {

        /** Whether this one is delivered after {@code other} unless they are reordered. */
        boolean follows(Message other) {
            return kind == other.kind && from == other.from && to == other.to;
        }
    }

    /** One member. The last fields are what the test knows it was told since it started. */
    static final class Member implements Cloneable {
        @Nullable
        StoredReplica stored;

        long clock;
        int start;
        int side;
        long forgottenEnd = Long.MIN_VALUE;
        long apartSince = Long.MIN_VALUE;
        long[] leftAt;

        boolean toldInvalid;

        @Nullable
        Stamp toldUse;

        @Nullable
        Stamp toldJudged;

        @Nullable
        Stamp toldWrite;

        int made;
        int replaced;

        Member(int members) {
            leftAt = new long[members];
        }

        boolean live() {
            return stored != null && stored.replica().live();
        }

        Member copy() {
            try {
                Member copy = (Member) clone();
                copy.leftAt = leftAt.clone();
                return copy;
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    final Member[] members;
    final List<Message> underWay;

    /** Bit from*members+to: {@code to} has yet to compare with {@code from}. */
    int comparisons;

    int events;
    int renames;
    long now;

    World(int size) {
        members = new Member[size];
        for (int i = 0; i < size; i++) {
            members[i] = new Member(size);
        }
        underWay = new ArrayList<>();
    }

    private World(World other) {
        members = other.members.clone();
        underWay = new ArrayList<>(other.underWay);
        comparisons = other.comparisons;
        events = other.events;
        renames = other.renames;
        now = other.now;
    }

    World copy() {
        return new World(this);
    }

    /** This member, to be changed. */
    Member change(int member) {
        Member copy = members[member].copy();
        members[member] = copy;
        return copy;
    }

    boolean together(int a, int b) {
        return members[a].side == members[b].side;
    }

    /** Of {@link #comparisons}. */
    int bit(int from, int to) {
        return 1 << (from * members.length + to);
    }

    boolean quiet() {
        return underWay.isEmpty() && comparisons == 0;
    }
}
