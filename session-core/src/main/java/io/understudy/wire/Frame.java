package io.understudy.wire;

import io.understudy.expiry.ExpiryMessage;
import io.understudy.lock.LockMessage;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The frames that members exchange. {@code application} is the first 64 bits of the SHA-256 of the application's name.
 * Times are durations in milliseconds, as clocks of members may differ by hours.
 */
public sealed interface Frame {

    /**
     * A session's changes.
     *
     * @param ageMillis how long ago the session began
     * @param idleMillis how long ago the delta's last use was; of a session that is over, or not known whole, how
     *     long it is that
     */
    record Update(long ageMillis, long idleMillis, SessionDelta delta) {}

    /** One update, sent when requests made it. */
    record Change(long application, Update update) implements Frame {}

    /**
     * A piece of the bytes of a large {@link Change}.
     *
     * @param transfer which change, by a number of its sender
     * @param index which piece, from 0
     */
    record Part(long application, long transfer, int index, ByteBuffer bytes) implements Frame {}

    /**
     * The last piece of a large {@link Change}; it takes the change's place in the session's order.
     *
     * @param parts how many {@link Part}s come before it
     */
    record LastPart(long application, SessionKey key, long transfer, int parts, ByteBuffer bytes) implements Frame {}

    /** One use of a session that changed nothing. */
    record Touch(SessionKey key, Stamp lastUse, long idleMillis) {}

    /** The uses of many sessions since the last such frame. */
    record Touches(long application, List<Touch> touches) implements Frame {}

    /** Announces the sessions that began without attributes since the last such frame. */
    record Beginnings(long application, List<Update> sessions) implements Frame {}

    /** The numbers of changes that were merged. */
    record Acks(List<Ack> acks) implements Frame {}

    /**
     * One acknowledgement.
     *
     * @param parked whether the receiver can't show the session to requests yet, and so does not count
     */
    record Ack(long number, boolean parked) {}

    /** Asks for the acknowledgements of these changes once more: the sender has sent them long ago, and lacks them. */
    record MissingAcks(List<Long> numbers) implements Frame {}

    /** How far a member is with an application. */
    enum Phase {
        /** It takes changes, but does not hold all sessions. */
        JOINING(0),
        /** It wants its acknowledgements to be waited for. */
        COUNTED(1),
        /** It holds all sessions. */
        READY(2);

        private final int code;

        Phase(int code) {
            this.code = code;
        }

        /** The number on the wire. */
        int code() {
            return code;
        }
    }

    /**
     * One application of a member.
     *
     * @param deployed whether it runs there; else its sessions are only kept, and none is expired
     * @param restoring whether the member has sessions of an earlier run that it has not brought back yet
     */
    record Membership(String application, Phase phase, boolean deployed, boolean restoring) {}

    /**
     * Which applications a member has; an application not listed is not there.
     *
     * @param announcement numbers the presences of one member, from 1 on
     * @param coherent whether the member's commits wait for acknowledgements, and all its earlier ones have theirs
     * @param lowestVersion the oldest wire version it reads
     * @param highestVersion the newest wire version it reads
     */
    record Presence(
            long origin,
            long announcement,
            boolean coherent,
            int lowestVersion,
            int highestVersion,
            List<Membership> memberships)
            implements Frame {

        /** The same of a member with which no application is shared. */
        public Presence withoutMemberships() {
            return new Presence(origin, announcement, coherent, lowestVersion, highestVersion, List.of());
        }
    }

    /** The answer to a presence: it is known here. */
    record Heard(long announcement) implements Frame {}

    /** The answer to a presence in phase {@link Phase#COUNTED}: from here on the sender's acks are waited for. */
    record Counting(long application) implements Frame {}

    /** A question, answered by a frame with the same number. */
    sealed interface Request extends Frame {
        long request();

        long application();
    }

    /** An answer. */
    sealed interface Response extends Frame {
        long request();
    }

    /**
     * The answer to a member that is not in the sender's view: nothing it does is seen there until it is merged back.
     */
    record Refusal(long request) implements Response {}

    /**
     * Asks for the sums of digests by bucket.
     *
     * @param view number of the sender's view; a member that has not seen that view refuses
     */
    record BucketRequest(long request, long application, long view) implements Request {}

    /** The sum of the digests of each bucket; see {@link SessionDigest}. */
    @SuppressWarnings("ArrayRecordComponent") // Of fixed length, read once, never changed.
    record Buckets(long request, long[] sums) implements Response {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Buckets that && request == that.request && Arrays.equals(sums, that.sums);
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(request) + Arrays.hashCode(sums);
        }
    }

    /**
     * Asks for the digests of the sessions in these buckets whose keys are above {@code after}; from the first on if
     * that is {@code null}.
     */
    record DigestRequest(
            long request,
            long application,
            BitSet buckets,
            @Nullable SessionKey after) implements Request {}

    /**
     * Digests in ascending order of keys.
     *
     * @param more whether there are keys above the last one
     */
    record Digests(long request, List<SessionDigest> digests, boolean more) implements Response {}

    /** Asks for whole sessions by key. */
    record StateRequest(long request, long application, List<SessionKey> keys) implements Request {}

    /** Asks for the whole session with this id. */
    record FindRequest(long request, long application, String id) implements Request {}

    /**
     * Whole sessions and tombstones.
     *
     * @param truncated whether sessions asked for were left out as the frame was full; what is missing from a frame
     *     that is not truncated is unknown to the sender
     */
    record States(long request, List<Update> states, boolean truncated) implements Response {}

    /** How far a member that stops is with keeping the sessions of an application. */
    enum Stage {
        /** It asks the first member of the view whether it is the last that holds the application. */
        ASKS(0),
        /** It announces to all that it is. */
        CLAIMS(1),
        /** It has kept the sessions, with what the others had more. */
        KEPT(2),
        /** It asks a member that goes on to take what it has more. */
        HANDS_OVER(3);

        private final int code;

        Stage(int code) {
            this.code = code;
        }

        /** The number on the wire. */
        int code() {
            return code;
        }
    }

    /** A member that stops asks another one for this, or announces it. */
    record LastRequest(long request, long application, Stage stage) implements Request {}

    /**
     * The answer: whether the asker is the last, as far as the answering member knows. To {@link Stage#HANDS_OVER},
     * whether the answering member has now all that the asker has.
     */
    record LastAnswer(long request, boolean last) implements Response {}

    /**
     * A member that joined others brought back sessions of an earlier run: they compare themselves with it.
     *
     * @param ageMillis how long ago these sessions were as the member has them
     */
    record Restored(long application, long ageMillis) implements Frame {}

    /** About the end of sessions. */
    record Ends(long application, ExpiryMessage message) implements Frame {}

    /** About session locks. */
    record Locking(LockMessage message) implements Frame {}
}
