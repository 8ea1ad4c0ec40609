package io.understudy.cluster;

import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Beginnings;
import io.understudy.codec.Frame.BucketRequest;
import io.understudy.codec.Frame.Change;
import io.understudy.codec.Frame.Counting;
import io.understudy.codec.Frame.Ends;
import io.understudy.codec.Frame.Heard;
import io.understudy.codec.Frame.LastAnswer;
import io.understudy.codec.Frame.LastPart;
import io.understudy.codec.Frame.LastRequest;
import io.understudy.codec.Frame.Locking;
import io.understudy.codec.Frame.Part;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.Presence;
import io.understudy.codec.Frame.Request;
import io.understudy.codec.Frame.Response;
import io.understudy.codec.Frame.Restored;
import io.understudy.codec.Frame.Touches;
import io.understudy.codec.WireCodec;
import io.understudy.codec.WireFormatException;
import io.understudy.metrics.Counter;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;

/**
 * What comes in: views and frames of the other members, each handed to whom it concerns.
 *
 * <p>Threads: JGroups' and SCOPE's, which never wait here; {@link #sweep} any.
 */
final class Inbox implements Receiver {

    private static final Logger LOG = System.getLogger(Inbox.class.getName());

    /** Bytes of large changes that are not there wholly yet. */
    private static final long MAX_ASSEMBLY_BYTES = 64L << 20;

    /** How long, in milliseconds, a large change may take to arrive; afterwards it is pulled. */
    private static final long ASSEMBLY_MILLIS = 60_000;

    private final ClusterChannel channel;
    private final Map<Long, ApplicationGroup> groups;
    private final Sending sending;
    private final Letters letters;
    private final ClusterLocks locks;
    private final ChannelThreads threads;
    private final Assemblies assemblies = new Assemblies(MAX_ASSEMBLY_BYTES);
    private final Set<String> rejections = ConcurrentHashMap.newKeySet();

    /** Of the view whose members are known; who asks from a later one is answered when that has come here. */
    private volatile long viewNumber;

    /** @param groups this node's applications by number, as they come and go */
    Inbox(
            ClusterChannel channel,
            Map<Long, ApplicationGroup> groups,
            Sending sending,
            Letters letters,
            ClusterLocks locks,
            ChannelThreads threads) {
        this.channel = channel;
        this.groups = groups;
        this.sending = sending;
        this.letters = letters;
        this.locks = locks;
        this.threads = threads;
    }

    long viewNumber() {
        return viewNumber;
    }

    /** Frees large changes that never came to an end. */
    void sweep() {
        assemblies.sweep(channel.time().monotonicMillis() - ASSEMBLY_MILLIS);
    }

    @Override
    public void viewAccepted(View view) {
        List<Address> present = view.getMembers();
        List<Address> before = channel.members().view();
        List<Set<Address>> others = view instanceof MergeView merge ? otherSides(merge, before) : List.of();
        channel.versions().view(present);
        Set<Address> left = channel.members().view(present);
        viewNumber = view.getViewId().getId();
        groups.values().forEach(group -> group.view(present, others));
        channel.detections().view(present, left);
        channel.accepted(view);
        // Who was in a view without this member never got what it sent meanwhile, and acknowledges nothing of it.
        Set<Address> together = new HashSet<>(present);
        others.forEach(together::removeAll);
        sending.view(together);
        sending.view(new HashSet<>(present));
        assemblies.view(new HashSet<>(present));
        channel.exchange().view(new HashSet<>(present));
        left.forEach(channel.acks()::forget);
        if (channel.jgroups().isConnected()) {
            locks.enter(view); // Before that nothing could be sent: connect enters the first view.
        }
        LOG.log(Level.INFO, "{0} - view {1}", channel.config().nodeName(), view);
        channel.announce();
        // Of a merge each side missed what the other did; of a member that died, some may have got its last
        // messages.
        if (view instanceof MergeView || !left.isEmpty()) {
            groups.values().forEach(group -> group.joiner().repair());
        }
    }

    @Override
    public void receive(Message message) {
        Frame frame;
        try {
            frame = WireCodec.decode(message.getArray(), message.getOffset(), message.getLength());
        } catch (WireFormatException e) {
            rejected(message.getSrc(), e);
            return;
        }
        receive(message, frame);
    }

    private void receive(Message message, Frame frame) {
        Address sender = message.getSrc();
        ScopeHeader header = message.getHeader(SCOPE.ID);
        if (frame instanceof Change change && header != null) {
            received(sender, header, change, message.getLength());
        } else if (frame instanceof Part part && header != null) {
            assemblies.add(sender, part, channel.time().monotonicMillis());
            channel.acks().gather(sender, new Frame.Ack(header.number(), false));
        } else if (frame instanceof LastPart last && header != null) {
            received(sender, header, last);
        } else if (frame instanceof Frame.Acks received) {
            sending.acknowledged(sender, received.acks());
        } else if (frame instanceof Touches touches) {
            ApplicationGroup group = groups.get(touches.application());
            if (group != null) {
                group.incoming().received(sender, touches);
            }
        } else if (frame instanceof Beginnings begun) {
            ApplicationGroup group = groups.get(begun.application());
            if (group != null) {
                group.incoming().received(sender, begun);
            }
        } else if (frame instanceof Presence presence) {
            boolean shared = channel.versions().said(sender, presence);
            said(sender, shared ? presence : presence.withoutMemberships());
        } else if (frame instanceof Heard heard) {
            channel.members().heard(sender, heard.announcement());
        } else if (frame instanceof Counting counting) {
            ApplicationGroup group = groups.get(counting.application());
            if (group != null) {
                group.joiner().counting(sender);
            }
        } else if (frame instanceof Ends ends) {
            ApplicationGroup group = groups.get(ends.application());
            if (group != null) {
                group.expiry().received(sender, ends.message());
            }
        } else if (frame instanceof Locking locking) {
            locks.received(sender, locking.message());
        } else if (frame instanceof LastRequest last) {
            threads.executeAnswering(() -> letters.sendTo(
                    sender, new LastAnswer(last.request(), channel.lastHolder().asked(sender, last))));
        } else if (frame instanceof Restored restored) {
            ApplicationGroup group = groups.get(restored.application());
            if (group != null) {
                group.restored(restored.ageMillis());
            }
        } else if (frame instanceof Request request) {
            answer(sender, request);
        } else if (frame instanceof Response response) {
            channel.exchange().answered(sender, response);
        }
    }

    private void said(Address sender, Presence presence) {
        channel.members().said(sender, presence);
        presence.memberships()
                .forEach(there -> channel.lastHolder().present(ApplicationNumber.of(there.application())));
        groups.values().forEach(group -> group.expiry().enter());
        letters.sendTo(sender, new Heard(presence.announcement()));
        presence.memberships().stream()
                .filter(membership -> membership.phase() == Phase.COUNTED)
                .forEach(membership ->
                        letters.sendTo(sender, new Counting(ApplicationNumber.of(membership.application()))));
    }

    private void received(Address sender, ScopeHeader place, Change change, int bytes) {
        ApplicationGroup group = groups.get(change.application());
        if (group == null) {
            channel.acks().gather(sender, new Frame.Ack(place.number(), true)); // The application has left this node.
            return;
        }
        channel.metrics().count(Counter.DELTAS_RECEIVED);
        channel.metrics().count(Counter.BYTES_RECEIVED, bytes);
        group.incoming().received(sender, place, change);
    }

    private void received(Address sender, ScopeHeader place, LastPart last) {
        byte[] whole = assemblies.complete(sender, last);
        ApplicationGroup group = groups.get(last.application());
        try {
            if (whole != null && WireCodec.decode(whole, 0, whole.length) instanceof Change change) {
                received(sender, place, change, whole.length);
            } else if (group != null) {
                group.incoming().receivedInPart(sender, place, last.key());
            } else {
                channel.acks().gather(sender, new Frame.Ack(place.number(), true));
            }
        } catch (WireFormatException e) {
            rejected(sender, e);
        }
    }

    private void answer(Address sender, Request request) {
        ApplicationGroup here = groups.get(request.application());
        ApplicationGroup group = here == null ? channel.parting().group(request.application()) : here;
        if (group == null && !(request instanceof BucketRequest)) {
            return; // Who wants to compare learns at once that there is nothing; others ask again in their own time.
        }
        boolean member = channel.members().view().contains(sender)
                && !(request instanceof BucketRequest buckets && buckets.view() > viewNumber);
        threads.executeAnswering(() -> letters.sendTo(
                sender, member && group != null ? group.answer(request) : new Frame.Refusal(request.request())));
    }

    /** Members do not always agree who was apart: of a view that was left here, who stayed in it is the other side. */
    private List<Set<Address>> otherSides(MergeView merge, List<Address> before) {
        List<Set<Address>> sides = new ArrayList<>();
        for (View subgroup : merge.getSubgroups()) {
            Set<Address> side = new HashSet<>(subgroup.getMembers());
            if (side.contains(channel.self())) {
                before.forEach(side::remove);
            }
            if (!side.isEmpty()) {
                sides.add(side);
            }
        }
        return sides;
    }

    private void rejected(Address sender, WireFormatException cause) {
        channel.metrics().count(Counter.FRAMES_REJECTED);
        if (rejections.size() < 100 && rejections.add(sender + cause.getMessage())) {
            LOG.log(
                    Level.WARNING,
                    "{0} - a frame of {1} was dropped: {2}",
                    channel.config().nodeName(),
                    sender,
                    cause.getMessage());
        }
    }
}
