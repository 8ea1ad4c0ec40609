package io.understudy.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.metrics.ReplicationMetrics;
import io.understudy.ordering.SCOPE;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.session.requests.LookUps;
import io.understudy.session.requests.WaitLimit;
import io.understudy.wire.Frame.FindRequest;
import io.understudy.wire.WireCodec;
import io.understudy.wire.WireFormatException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.stack.ProtocolStack.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The ids of requests that come while a side of a merged view is not compared yet. */
@Tag("cluster")
@Timeout(300)
class FirstUseTest {

    private final Channels nodes = new Channels();

    /** The ids that the other member was asked for. */
    private final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        nodes.close();
    }

    private LookUps start() throws Exception {
        nodes.start(2);
        nodes.interfere(1, Position.ABOVE, SCOPE.class, new Interference(message -> {
            note(message);
            return List.of(message);
        }));
        List<Address> view = nodes.channels.get(0).services().members().view();
        Address other = nodes.channels.get(1).services().members().self();
        nodes.groups.get(0).view(view, List.of(Set.of(other)));
        assertTrue(nodes.groups.get(0).comparesFirst());
        return new LookUps(nodes.groups.get(0), new ReplicationMetrics(), true);
    }

    private void note(Message message) {
        try {
            if (message.hasPayload()
                    && WireCodec.decode(message.getArray(), message.getOffset(), message.getLength())
                            instanceof FindRequest find) {
                asked.add(find.id());
            }
        } catch (WireFormatException e) {
            // A message of JGroups' own.
        }
    }

    private static boolean present(LookUps lookUps, String id) {
        try (WaitLimit.Turn turn = new WaitLimit(1, new ReplicationMetrics()).turn()) {
            return lookUps.present(id, turn);
        }
    }

    private List<String> askedBy(LookUps lookUps, String id) {
        asked.clear();
        assertTrue(present(lookUps, id));
        return List.copyOf(asked);
    }

    @Test
    void anIdThatNoContainerMakesIsNotLookedUp() throws Exception {
        LookUps lookUps = start();
        assertEquals(List.of(), askedBy(lookUps, "x".repeat(513)));
        assertEquals(List.of("x".repeat(512)), askedBy(lookUps, "x".repeat(512)));
    }

    /** Clients may send any number of ids that no session has. */
    @Test
    void onlyIdsOfSessionsAreRemembered() throws Exception {
        LookUps lookUps = start();
        nodes.groups
                .get(1)
                .store()
                .create(SessionDelta.created(
                        new SessionKey(7), nodes.channels.get(1).clock().next(0), "session", 1800));
        assertEquals(List.of("session"), askedBy(lookUps, "session"));
        assertEquals(List.of(), askedBy(lookUps, "session"));
        assertEquals(List.of("none"), askedBy(lookUps, "none"));
        assertEquals(List.of("none"), askedBy(lookUps, "none"), "forgotten at once");
    }
}
