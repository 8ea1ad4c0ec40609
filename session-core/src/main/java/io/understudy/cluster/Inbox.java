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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;

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
    private final List<ViewChange.Step> steps;

    /** JGroups tells of one view after the other; what failed of one is taken over by another thread. */
    private final Object taking = new Object();

    /** A view that nothing was done about yet. */
    private volatile @Nullable View waiting;

    /** One of which a step failed. */
    private volatile @Nullable ViewChange change;

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
        this.steps = steps();
    }

    long viewNumber() {
        return viewNumber;
    }

    /** Frees large changes that never came to an end, and takes over what failed of a view. */
    void sweep() {
        assemblies.sweep(channel.time().monotonicMillis() - ASSEMBLY_MILLIS);
        takeOver();
    }

    /** Whether the last view is not taken over wholly. */
    boolean halfWay() {
        return waiting != null || change != null;
    }

    @Override
    public void viewAccepted(View view) {
        synchronized (taking) {
            takeOver(); // What is left of the one before.
            waiting = view;
            takeOver();
        }
    }

    private void takeOver() {
        synchronized (taking) {
            try {
                View next = waiting;
                if (next != null) {
                    change = new ViewChange(
                            next, channel.self(), channel.members().view(), steps, channel.failures());
                    waiting = null;
                }
                if (change != null && change.go()) {
                    change = null;
                }
            } catch (Throwable e) {
                channel.failures().report("accepting a view; the node retries", e);
            }
        }
    }

    private List<ViewChange.Step> steps() {
        return List.of(
                change -> channel.versions().view(change.present()),
                change -> channel.members().view(change.present()),
                change -> viewNumber = change.view().getViewId().getId(),
                change -> groups.values().forEach(group -> group.view(change.present(), change.others())),
                change -> channel.detections().view(change.present(), change.left()),
                change -> channel.accepted(change.view()),
                // Who was in a view without this member never got what it sent meanwhile, and acknowledges nothing of
                // it.
                change -> sending.view(change.together()),
                change -> sending.view(change.members()),
                change -> assemblies.view(change.members()),
                change -> channel.exchange().view(change.members()),
                change -> channel.acks().view(change.members()),
                this::enterLocks,
                change -> LOG.log(
                        channel.news(), "{0} - view {1}", channel.config().nodeName(), change.view()),
                change -> channel.announce(),
                this::repair);
    }

    private void enterLocks(ViewChange change) {
        if (channel.jgroups().isConnected() || channel.withdrawn()) {
            locks.enter(change.view()); // Before that nothing could be sent: connect enters the first view.
        }
    }

    private void repair(ViewChange change) {
        if (change.missed()) {
            groups.values().forEach(group -> group.joiner().repair());
        }
    }

    /** What becomes of a change is acknowledged in any case: its sender would wait for this member until it leaves. */
    @Override
    public void receive(Message message) {
        ScopeHeader place = message.getHeader(SCOPE.ID);
        boolean settled = false;
        try {
            receive(message, place, WireCodec.decode(message.getArray(), message.getOffset(), message.getLength()));
            settled = true;
        } catch (WireFormatException e) {
            rejected(message.getSrc(), e);
        } catch (Throwable e) {
            channel.failures().report("handling a message of another member", e);
        } finally {
            if (place != null && !settled) {
                notTaken(message.getSrc(), place);
            }
        }
    }

    /** A change of another member did not get here, or could not be taken: it is not held, and its sender is not to wait. */
    void notTaken(Address sender, ScopeHeader place) {
        channel.metrics().count(Counter.CHANGES_NOT_TAKEN);
        channel.acks().gather(sender, new Frame.Ack(place.number(), true));
    }

    private void receive(Message message, @Nullable ScopeHeader header, Frame frame) throws WireFormatException {
        Address sender = message.getSrc();
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
            answer(
                    sender,
                    last,
                    () -> new LastAnswer(last.request(), channel.lastHolder().asked(sender, last)));
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
        if (halfWay()) {
            takeOver(); // The member counts on being known.
        }
        if (channel.members().said(sender, presence)) {
            presence.memberships()
                    .forEach(there -> channel.lastHolder().present(ApplicationNumber.of(there.application())));
            groups.values().forEach(group -> group.expiry().enter());
        }
        // A member that leaves waits for this, and says goodbye only twice.
        boolean unused = channel.failures()
                .insist("confirming a presence", () -> letters.sendTo(sender, new Heard(presence.announcement())));
        presence.memberships().stream()
                .filter(membership -> membership.phase() == Phase.COUNTED)
                .forEach(membership -> channel.failures()
                        .run(
                                "counting a member; it asks again",
                                () -> letters.sendTo(
                                        sender, new Counting(ApplicationNumber.of(membership.application())))));
    }

    private void received(Address sender, ScopeHeader place, Change change, int bytes) {
        ApplicationGroup group = held(change.application());
        if (group == null) {
            channel.acks().gather(sender, new Frame.Ack(place.number(), true)); // The application has left this node.
            return;
        }
        channel.metrics().count(Counter.DELTAS_RECEIVED);
        channel.metrics().count(Counter.BYTES_RECEIVED, bytes);
        group.incoming().received(sender, place, change);
    }

    private void received(Address sender, ScopeHeader place, LastPart last) throws WireFormatException {
        byte[] whole = assemblies.complete(sender, last);
        ApplicationGroup group = held(last.application());
        if (whole != null && WireCodec.decode(whole, 0, whole.length) instanceof Change change) {
            received(sender, place, change, whole.length);
        } else if (group != null) {
            group.incoming().receivedInPart(sender, place, last.key());
        } else {
            channel.acks().gather(sender, new Frame.Ack(place.number(), true));
        }
    }

    /** Also if this member says goodbye, and not all others know it yet. */
    private @Nullable ApplicationGroup held(long application) {
        ApplicationGroup here = groups.get(application);
        return here == null ? channel.parting().group(application) : here;
    }

    private void answer(Address sender, Request request) {
        ApplicationGroup group = held(request.application());
        if (group == null && !(request instanceof BucketRequest)) {
            return; // Who wants to compare learns at once that there is nothing; others ask again in their own time.
        }
        boolean member = channel.members().view().contains(sender)
                && !(request instanceof BucketRequest buckets && buckets.view() > viewNumber);
        answer(
                sender,
                request,
                () -> member && group != null ? group.answer(request) : new Frame.Refusal(request.request()));
    }

    /** The asker waits for an answer: if there is none it is refused, and asks again, or another member. */
    private void answer(Address sender, Request request, Supplier<Frame> answer) {
        boolean answering = threads.executeAnswering("answering a member", () -> {
            if (!channel.failures().insist("answering a member", () -> letters.sendTo(sender, answer.get()))) {
                refuse(sender, request);
            }
        });
        if (!answering) {
            refuse(sender, request);
        }
    }

    private void refuse(Address sender, Request request) {
        boolean unused = channel.failures()
                .insist("refusing an answer", () -> letters.sendTo(sender, new Frame.Refusal(request.request())));
    }

    private void rejected(Address sender, WireFormatException cause) {
        channel.metrics().count(Counter.FRAMES_REJECTED);
        if (channel.exchange().unreadable(sender, cause)) {
            return; // It looks for the session that can't be read, and tells of that.
        }
        if (rejections.size() < 100 && rejections.add(sender + cause.getMessage())) {
            LOG.log(
                    Level.WARNING,
                    "{0} - dropped a frame of {1}: {2}",
                    channel.config().nodeName(),
                    sender,
                    cause.getMessage());
        }
    }
}
