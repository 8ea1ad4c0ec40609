package io.understudy.cluster;

import io.understudy.NodeStart;
import io.understudy.codec.Frame;
import io.understudy.codec.Frame.Change;
import io.understudy.codec.Frame.Phase;
import io.understudy.codec.Frame.Update;
import io.understudy.codec.WireCodec;
import io.understudy.codec.WireFormatException;
import io.understudy.config.UnderstudyConfig;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.ordering.ScopeHeader;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.TimeSource;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jspecify.annotations.Nullable;

/** JGroups channels to compare ours with: of the same protocols with the same settings, but for {@link SCOPE}. */
public final class Stacks {

    /**
     * A message's place in its session.
     *
     * @param scope the session key
     * @param number higher than that of every earlier message of the same sender
     */
    public record Place(long scope, long number) {}

    private Stacks() {}

    /** A channel with {@code instead} where SCOPE is in ours; without it JGroups as it is. Not yet connected. */
    public static JChannel without(UnderstudyConfig config, Protocol... instead) throws Exception {
        List<Protocol> protocols = new ArrayList<>();
        for (Protocol protocol : ProtocolStack.of(config)) {
            if (protocol instanceof SCOPE) {
                protocols.addAll(List.of(instead));
            } else {
                protocols.add(protocol);
            }
        }
        JChannel channel = new JChannel(protocols).name(config.nodeName());
        ProtocolStack.finish(channel.getProtocolStack().getTransport());
        channel.setDiscardOwnMessages(true);
        return channel;
    }

    /** A channel of our protocols alone, named and not yet connected; for those that are connected one after the other. */
    public static JChannel channel(UnderstudyConfig config) throws Exception {
        JChannel channel = new JChannel(
                        NodeStart.among(config, StackChange.NONE).apply(ProtocolStack.of(config)))
                .name(config.nodeName());
        ProtocolStack.finish(channel.getProtocolStack().getTransport());
        return channel;
    }

    /** A member without applications. */
    public static ClusterChannel connect(UnderstudyConfig config) {
        return connect(config, StackChange.NONE);
    }

    /** The same with other protocols. */
    public static ClusterChannel connect(UnderstudyConfig config, StackChange stack) {
        return connect(config, TimeSource.SYSTEM, stack);
    }

    /** The same with a clock. */
    public static ClusterChannel connect(UnderstudyConfig config, TimeSource time, StackChange stack) {
        return ClusterChannel.connect(config, time, new ReplicationMetrics(), NodeStart.among(config, stack));
    }

    /** Puts a protocol on top of a channel of ours, above the flow control. */
    public static void onTop(ClusterChannel channel, Protocol protocol) {
        channel.jgroups().getProtocolStack().insertProtocolAtTop(protocol);
    }

    /** Numbers a message as ours are, for channels without SCOPE. */
    public static Message numbered(Message message, Place place) {
        return message.putHeader(SCOPE.ID, new ScopeHeader(place.scope(), place.number(), 0, 0));
    }

    /** The place of a message; {@code null} if it is no update. */
    public static @Nullable Place place(Message message) {
        ScopeHeader header = message.getHeader(SCOPE.ID);
        return header == null ? null : new Place(header.scope(), header.number());
    }

    /** Whether a message of ours is an update of a session. */
    public static boolean isUpdate(Message message) {
        return message.getHeader(SCOPE.ID) != null;
    }

    /** A change as a frame of ours. */
    public static byte[] encode(SessionDelta delta) {
        return WireCodec.encode(new Change(0, new Update(0, 0, delta)), WireCodec.HIGHEST_VERSION);
    }

    /** What {@link #encode} wrote. */
    public static SessionDelta decode(Message message) throws WireFormatException {
        Frame frame = WireCodec.decode(message.getArray(), message.getOffset(), message.getLength());
        return ((Change) frame).update().delta();
    }

    /** How many other members count for this application, as its senders see it. */
    public static int others(ClusterChannel channel, ApplicationGroup group) {
        return channel.members().others(group.number(), Phase.COUNTED).size();
    }
}
