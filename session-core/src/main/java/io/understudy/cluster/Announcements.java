package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Membership;
import io.understudy.codec.Frame.Presence;
import io.understudy.codec.WireCodec;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Message;

/**
 * Tells the other members what this one holds, in order.
 *
 * <p>Threads: any.
 */
final class Announcements {

    private final ClusterChannel channel;
    private final NodeCoherence coherence;
    private final Letters letters;
    private final ChannelThreads threads;
    private final AtomicLong announcements = new AtomicLong();

    /** The last announcement that was told to all, as far as this member can see to that. */
    private final AtomicLong told = new AtomicLong();

    Announcements(ClusterChannel channel, NodeCoherence coherence, Letters letters, ChannelThreads threads) {
        this.channel = channel;
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
        boolean unused = threads.executeInOrder("telling the others what is here", () -> tellAll(announcement));
        return announcement;
    }

    /** Tells what could not be told; to be called now and then. */
    void remind() {
        long announcement = announcements.get();
        if (told.get() < announcement) {
            boolean unused = threads.executeInOrder("telling the others what is here", () -> tellAll(announcement));
        }
    }

    private void tellAll(long announcement) {
        byte[] bytes = presence(announcement);
        for (Address member : channel.members().view()) {
            if (!member.equals(channel.self())) {
                letters.send(new BytesMessage(member, bytes).setFlag(Message.Flag.NO_FC));
            }
        }
        told.accumulateAndGet(announcement, Math::max);
    }

    private byte[] presence(long announcement) {
        List<Membership> memberships =
                channel.groups().stream().map(ApplicationGroup::membership).toList();
        Frame presence = new Presence(
                channel.clock().origin(),
                announcement,
                coherence.coherent(),
                WireCodec.LOWEST_VERSION,
                WireCodec.HIGHEST_VERSION,
                memberships);
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
        long announcement = announcements.incrementAndGet();
        told.set(announcement);
        letters.send(new BytesMessage(null, presence(announcement))
                .setFlag(Message.Flag.NO_FC)
                .setFlag(Message.TransientFlag.DONT_LOOPBACK));
        if (!channel.members().awaitHeard(announcement, millis)) {
            tellAll(announcement);
            channel.members().awaitHeard(announcement, millis);
        }
    }
}
