package io.understudy.cluster;

import io.understudy.cluster.delivery.AckSender;
import io.understudy.cluster.delivery.DeltaSender;
import io.understudy.cluster.locking.ClusterLocks;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.ViewInstaller;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Beginnings;
import io.understudy.wire.Frame.Change;
import io.understudy.wire.Frame.Counting;
import io.understudy.wire.Frame.Ends;
import io.understudy.wire.Frame.Heard;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.Frame.Locking;
import io.understudy.wire.Frame.MissingAcks;
import io.understudy.wire.Frame.Part;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.Frame.Request;
import io.understudy.wire.Frame.Response;
import io.understudy.wire.Frame.Restored;
import io.understudy.wire.Frame.Touches;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;

/**
 * What comes in: views and frames of the other members, each handed to the part that takes it.
 *
 * <p>Threads: JGroups' and SCOPE's, which never wait here.
 */
final class FrameDispatcher implements Receiver {

    private static final Logger LOG = System.getLogger(FrameDispatcher.class.getName());

    private final String node;
    private final ApplicationGroups groups;
    private final ViewInstaller views;
    private final ChangeDispatcher changes;
    private final PresenceReceiver presences;
    private final RequestAnswerer answers;
    private final Members members;
    private final DeltaSender sending;
    private final AckSender acks;
    private final RequestCorrelator exchange;
    private final ClusterLocks locks;
    private final ReplicationMetrics metrics;
    private final Failures failures;
    private final Set<String> rejections = ConcurrentHashMap.newKeySet();

    /** @param node its name in logs */
    FrameDispatcher(
            String node,
            ApplicationGroups groups,
            ViewInstaller views,
            ChangeDispatcher changes,
            PresenceReceiver presences,
            RequestAnswerer answers,
            Members members,
            DeltaSender sending,
            AckSender acks,
            RequestCorrelator exchange,
            ClusterLocks locks,
            ReplicationMetrics metrics,
            Failures failures) {
        this.node = node;
        this.groups = groups;
        this.views = views;
        this.changes = changes;
        this.presences = presences;
        this.answers = answers;
        this.members = members;
        this.sending = sending;
        this.acks = acks;
        this.exchange = exchange;
        this.locks = locks;
        this.metrics = metrics;
        this.failures = failures;
    }

    @Override
    public void viewAccepted(View view) {
        views.install(view);
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
            failures.report("handling a message of another member", e);
        } finally {
            if (place != null && !settled) {
                changes.notTaken(message.getSrc(), place);
            }
        }
    }

    private void receive(Message message, @Nullable ScopeHeader place, Frame frame) throws WireFormatException {
        Address sender = message.getSrc();
        if (frame instanceof Change change && place != null) {
            changes.received(sender, place, change, message.getLength());
        } else if (frame instanceof Part part && place != null) {
            changes.received(sender, place, part);
        } else if (frame instanceof LastPart last && place != null) {
            changes.received(sender, place, last);
        } else if (frame instanceof Frame.Acks received) {
            sending.acknowledged(sender, received.acks());
        } else if (frame instanceof MissingAcks missing) {
            acks.again(sender, missing.numbers());
        } else if (frame instanceof Presence presence) {
            presences.received(sender, presence);
        } else if (frame instanceof Heard heard) {
            members.heard(sender, heard.announcement());
        } else if (frame instanceof Locking locking) {
            locks.received(sender, locking.message());
        } else if (frame instanceof Request request) {
            answers.answer(sender, request);
        } else if (frame instanceof Response response) {
            exchange.answered(sender, response);
        } else {
            toApplication(sender, frame);
        }
    }

    private void toApplication(Address sender, Frame frame) {
        if (frame instanceof Touches touches) {
            with(touches.application(), group -> group.incoming().received(sender, touches));
        } else if (frame instanceof Beginnings begun) {
            with(begun.application(), group -> group.incoming().received(sender, begun));
        } else if (frame instanceof Counting counting) {
            with(counting.application(), group -> group.joiner().counting(sender));
        } else if (frame instanceof Ends ends) {
            with(ends.application(), group -> group.expiry().received(sender, ends.message()));
        } else if (frame instanceof Restored restored) {
            with(restored.application(), group -> group.restored(restored.ageMillis()));
        }
    }

    private void with(long application, Consumer<ApplicationGroup> taker) {
        ApplicationGroup group = groups.get(application);
        if (group != null) {
            taker.accept(group);
        }
    }

    private void rejected(Address sender, WireFormatException cause) {
        metrics.count(Counter.FRAMES_REJECTED);
        if (exchange.unreadable(sender, cause)) {
            return; // It looks for the session that can't be read, and tells of that.
        }
        if (rejections.size() < 100 && rejections.add(sender + cause.getMessage())) {
            LOG.log(Level.WARNING, "{0} - dropped a frame of {1}: {2}", node, sender, cause.getMessage());
        }
    }
}
