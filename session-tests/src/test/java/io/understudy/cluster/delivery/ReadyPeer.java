package io.understudy.cluster.delivery;

import io.understudy.cluster.membership.Members;
import io.understudy.cluster.membership.WireVersions;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.replica.TimeSource;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.util.UUID;

/** The only other member of a view, which is ready for the application, and this member's sender beside it. */
final class ReadyPeer {

    static final Address SELF = UUID.randomUUID();
    static final Address PEER = UUID.randomUUID();
    static final String APPLICATION = "/shop";

    static final int BATCH_BYTES = 4000;

    private ReadyPeer() {}

    /** @param transport takes what is sent */
    static DeltaSender sender(SCOPE scopes, AckTracker tracker, Consumer<Message> transport) {
        Members members = new Members(() -> SELF, () -> 0);
        members.view(List.of(SELF, PEER));
        members.said(
                PEER, new Presence(2, 1, true, 1, 1, List.of(new Membership(APPLICATION, Phase.READY, true, false))));
        DeltaSender sending = new DeltaSender(
                scopes,
                members,
                new WireVersions(() -> SELF, "n1"),
                tracker,
                new ReplicationMetrics(),
                TimeSource.SYSTEM,
                BATCH_BYTES,
                transport);
        sending.view(new Object(), Set.of(SELF, PEER), Set.of(SELF, PEER));
        return sending;
    }
}
