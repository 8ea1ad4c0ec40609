package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.session.requests.LookUps;
import io.understudy.session.requests.WaitLimit;
import io.understudy.testkit.Await;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.Frame.Request;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jgroups.Address;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.ViewId;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two members that come together again, and do not know each other yet. */
@Tag("cluster")
@Timeout(300)
class MergedSidesTest {

    private final Channels nodes = new Channels();

    /** What the first member asked the second for. */
    private final ConcurrentLinkedQueue<Request> asked = new ConcurrentLinkedQueue<>();

    /** Whether the second member learns what the first one has. */
    private volatile boolean known = true;

    @AfterEach
    void close() {
        nodes.close();
    }

    /** What the other side acknowledged until it counted this member would be missing here, and never be compared. */
    @Test
    void whoIsNotKnownToTheOtherSideDoesNotCompare() throws Exception {
        nodes.start(2);
        nodes.interfere(1, Position.ABOVE, SCOPE.class, new Interference(this::arrived));
        known = false;
        split();
        LookUps lookUps = new LookUps(nodes.groups.get(0), new ReplicationMetrics(), true);
        try (WaitLimit.Turn turn = new WaitLimit(1, new ReplicationMetrics()).turn()) {
            boolean unused = lookUps.present("session", turn); // It waits as long as a first use does.
        }
        assertEquals(List.of(), List.copyOf(asked));
        assertTrue(nodes.groups.get(0).comparesFirst());

        known = true;
        nodes.channels.get(0).services().announcements().announce();
        Await.that("all is compared", () -> !nodes.groups.get(0).comparesFirst());
        assertTrue(!asked.isEmpty(), "by a comparison");
    }

    private List<Message> arrived(Message message) {
        try {
            Frame frame = message.hasPayload()
                    ? WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                    : null;
            if (frame instanceof Request request) {
                asked.add(request);
            }
            return frame instanceof Presence && !known ? List.of() : List.of(message);
        } catch (WireFormatException e) {
            return List.of(message); // One of JGroups' own.
        }
    }

    /** Each is alone, and then they are together. */
    private void split() {
        View before = nodes.channels.get(0).jgroups().getView();
        long id = before.getViewId().getId();
        List<Address> both = before.getMembers();
        View first = View.create(both.get(0), id + 1, both.get(0));
        View second = View.create(both.get(1), id + 1, both.get(1));
        View merged = new MergeView(new ViewId(both.get(0), id + 2), both, List.of(first, second));
        install(0, first);
        install(1, second);
        install(1, merged);
        install(0, merged);
    }

    private void install(int node, View view) {
        nodes.channels.get(node).services().views().install(view);
    }
}
