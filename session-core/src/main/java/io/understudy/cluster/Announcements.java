package io.understudy.cluster;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.NodeCoherence;
import io.understudy.cluster.messaging.FrameSender;
import io.understudy.threads.ChannelThreads;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.WireCodec;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Message;

/**
 * Tells the other members what this one holds, in order.
 *
 * <p>Threads: any.
 */
final class Announcements {

    private static final String TELLING = "announcing this node's applications";
    private static final String GOODBYE = "sending a goodbye";

    private final Supplier<List<Membership>> memberships;
    private final long origin;
    private final Members members;
    private final Failures failures;
    private final NodeCoherence coherence;
    private final FrameSender letters;
    private final ChannelThreads threads;
    private final AtomicLong announcements = new AtomicLong();

    /** The last announcement that was sent to all. */
    private final AtomicLong told = new AtomicLong();

    /** The last announcement at the last {@link #remind}. For the thread that reminds. */
    private long reminded;

    /** Whether the goodbye is said, which must not overtake this member's multicasts. */
    private volatile boolean parting;

    /**
     * @param memberships what this member has, as it is when this is called
     * @param origin by which this member's writes are known
     */
    Announcements(
            Supplier<List<Membership>> memberships,
            long origin,
            Members members,
            NodeCoherence coherence,
            FrameSender letters,
            ChannelThreads threads,
            Failures failures) {
        this.memberships = memberships;
        this.origin = origin;
        this.members = members;
        this.failures = failures;
        this.coherence = coherence;
        this.letters = letters;
        this.threads = threads;
    }

    /**
     * Tells every member, in order with earlier announcements, what this one holds. Member by member: a multicast in order
     * would wait for ever behind a gap that a joiner's window may begin with when members were merged just before.
     *
     * @return the announcement's number; it tells what is true when it goes out
     */
    long announce() {
        long announcement = announcements.incrementAndGet();
        boolean unused = threads.executeInOrder(TELLING, () -> tellAll(announcement));
        return announcement;
    }

    /** The last one; each that is made from now on has a higher number. */
    long last() {
        return announcements.get();
    }

    /**
     * Tells what could not be told, and once more each member that has not confirmed what was told before the last call: the
     * presence, or the answer to it, could not be sent. To be called now and then.
     */
    void remind() {
        long announcement = announcements.get();
        if (parting) { // Looked at afterwards: this one is no goodbye.
            return;
        }
        long before = reminded;
        if (told.get() < announcement) {
            boolean unused = threads.executeInOrder(TELLING, () -> tellAll(announcement));
        } else if (!members.allHeard(before)) {
            boolean unused = threads.executeInOrder(TELLING, () -> tell(members.notHeard(before), announcement));
        }
        reminded = announcement;
    }

    private void tellAll(long announcement) {
        if (tell(members.notHeard(Long.MAX_VALUE), announcement)) {
            told.accumulateAndGet(announcement, Math::max);
        }
    }

    /** A member that can't be told is no other one's business. @return whether all were told */
    private boolean tell(List<Address> receivers, long announcement) {
        byte[] bytes = presence(announcement);
        boolean all = true;
        for (Address member : receivers) {
            all &= failures.attempt(TELLING + "; the node retries", () -> tell(member, bytes));
        }
        return all;
    }

    private void tell(Address member, byte[] presence) {
        letters.send(new BytesMessage(member, presence).setFlag(Message.Flag.NO_FC));
    }

    private byte[] presence(long announcement) {
        Frame presence = new Presence(
                origin,
                announcement,
                coherence.coherent(),
                WireCodec.LOWEST_VERSION,
                WireCodec.HIGHEST_VERSION,
                memberships.get());
        return WireCodec.encode(presence, WireCodec.LOWEST_VERSION);
    }

    /**
     * Says goodbye: nobody has to remember tombstones for this member. By a multicast that keeps its place: who delivers it
     * has got all that this member multicast before, of which nothing is asked for again once it has left. Who does not say
     * in time that it was heard is told alone, as it may wait behind a gap.
     *
     * @param millis how long to wait for each
     */
    void goodbye(long millis) {
        parting = true;
        long announcement = announcements.incrementAndGet();
        boolean sent = failures.insist(
                GOODBYE,
                () -> letters.send(new BytesMessage(null, presence(announcement))
                        .setFlag(Message.Flag.NO_FC)
                        .setFlag(Message.TransientFlag.DONT_LOOPBACK)));
        if (!sent || !members.awaitHeard(announcement, millis)) {
            for (Address member : members.notHeard(announcement)) {
                boolean unused = failures.insist(GOODBYE, () -> tell(member, presence(announcement)));
            }
            members.awaitHeard(announcement, millis);
        }
    }
}
