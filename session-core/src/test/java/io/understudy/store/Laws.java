package io.understudy.store;

import io.understudy.replica.SessionReplica;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.store.World.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What must hold of a {@link World}: of every one, and of those where nothing is under way any more. */
final class Laws {

    /** A law was broken. */
    static final class BrokenException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BrokenException(String law) {
            super(law);
        }
    }

    private Laws() {}

    static void require(boolean holds, String law) {
        if (!holds) {
            throw new BrokenException(law);
        }
    }

    static @Nullable Stamp later(@Nullable Stamp a, @Nullable Stamp b) {
        return a == null ? b : b == null ? a : a.compareTo(b) >= 0 ? a : b;
    }

    /** Ids are single letters. */
    static int mask(List<String> ids) {
        int mask = 0;
        for (String id : ids) {
            mask |= 1 << (id.charAt(0) - 'a');
        }
        return mask;
    }

    /** Holds at any moment. */
    static void always(World world) {
        for (Member member : world.members) {
            if (member.stored != null && member.live()) {
                SessionReplica replica = member.stored.replica();
                require(!member.toldInvalid, "an invalidated session is not live again");
                require(replica.attribute("a") != null, "no member shows part of a session");
                require((mask(replica.ids()) & member.replaced) == 0, "a replaced id finds nothing");
                Stamp use = replica.lastUse();
                require(
                        member.toldJudged == null || (use != null && use.compareTo(member.toldJudged) > 0),
                        "an expired session is live again only by a later use");
            }
        }
    }

    /** Holds of those who are together when nothing is under way. */
    static void quiet(World world) {
        for (int side = 0; side < world.members.length; side++) {
            side(world, side);
        }
    }

    private static void side(World world, int side) {
        Member first = null;
        boolean invalid = false;
        boolean whole = false;
        boolean live = false;
        Stamp use = null;
        Stamp judged = null;
        Stamp write = null;
        int made = 0;
        int replaced = 0;
        for (Member member : world.members) {
            if (member.side != side) {
                continue;
            }
            if (first == null) {
                first = member;
            } else {
                same(first.stored, member.stored);
            }
            invalid |= member.toldInvalid;
            whole |= member.stored != null && member.stored.replica().asDelta().complete();
            live |= member.live();
            use = later(use, member.toldUse);
            judged = later(judged, member.toldJudged);
            write = later(write, member.toldWrite);
            made |= member.made;
            replaced |= member.replaced;
        }
        if (first == null) {
            return;
        }
        require(!invalid || !live, "an invalidated session is over everywhere");
        boolean usedLater = judged == null || (use != null && use.compareTo(judged) > 0);
        if (!invalid && whole) {
            require(live == usedLater, "a session goes on if and only if it was used after the use its expiry judged");
        }
        if (live && first.stored != null) {
            SessionReplica replica = first.stored.replica();
            StampedBytes value = replica.attribute("x");
            require(
                    value != null && (write == null || value.stamp().compareTo(write) >= 0),
                    "a write that somebody holds is there, or a later one");
            require(mask(replica.ids()) == (made & ~replaced), "the ids that nobody replaced find the session");
        }
    }

    private static void same(@Nullable StoredReplica a, @Nullable StoredReplica b) {
        if (a == null || b == null) {
            require(
                    (a == null || a.replica().parked())
                            && (b == null || b.replica().parked()),
                    "all hold the session");
            return;
        }
        SessionReplica one = a.replica();
        SessionReplica other = b.replica();
        require(one.live() == other.live() && one.invalidated() == other.invalidated(), "live or over on all");
        if (one.live()) {
            require(one.attributes().equals(other.attributes()), "the attributes are the same on all");
            require(
                    one.asDelta().attributes().equals(other.asDelta().attributes()),
                    "the attributes and their removals are the same on all");
            require(one.ids().equals(other.ids()), "the ids are the same on all");
            require(one.digest() == other.digest(), "the digests are the same on all");
        }
    }
}
