package io.understudy.cluster.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.understudy.wire.Frame.Presence;
import io.understudy.wire.WireCodec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("rules")
class MembersTest {

    private static final int CROWD = 2000;

    private final Address self = UUID.randomUUID();
    private final Address near = UUID.randomUUID();
    private final Address far = UUID.randomUUID();
    private final Members members = new Members(() -> self, () -> 0);

    private static Presence presence() {
        return presence(1, true);
    }

    private static Presence presence(long announcement, boolean coherent) {
        return new Presence(1, announcement, coherent, WireCodec.LOWEST_VERSION, WireCodec.HIGHEST_VERSION, List.of());
    }

    /** It took over the view of both sides first; here one comes before that, of this side only. */
    @Test
    void whoSpokeBeforeItsViewCameIsHeard() {
        members.view(List.of(self));
        members.said(far, presence());
        members.view(List.of(self, near));
        members.said(near, presence());
        members.view(List.of(far, self, near));
        assertTrue(members.allAnnounced(), () -> members.silent().toString());
    }

    /** It is repeated until it is confirmed, and what it says may be over by then. */
    @Test
    void aPresenceThatComesAfterALaterOneIsDropped() {
        members.view(List.of(self, far));
        assertTrue(members.said(far, presence(2, true)));
        assertTrue(members.said(far, presence(2, true)));
        assertFalse(members.said(far, presence(1, false)));
        assertTrue(members.othersCoherent());
        members.view(List.of(self));
        members.view(List.of(self, far));
        assertTrue(members.said(far, presence(1, false)));
        assertFalse(members.othersCoherent());
    }

    /** Containers interrupt threads when they stop, and one of these may close the node. */
    @Test
    void anInterruptDoesNotShortenAGoodbye() throws Exception {
        members.view(List.of(self, far));
        CompletableFuture<Boolean> heard = new CompletableFuture<>();
        Thread leaving = new Thread(() -> {
            Thread.currentThread().interrupt();
            boolean all = members.awaitHeard(1, 60_000);
            heard.complete(all && Thread.interrupted());
        });
        leaving.start();
        while (!heard.isDone() && leaving.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        members.heard(far, 1);
        assertTrue(heard.get(60, TimeUnit.SECONDS));
    }

    @Test
    void whoLeftHasToSpeakAgain() {
        members.view(List.of(self, far));
        members.said(far, presence());
        members.view(List.of(self));
        members.view(List.of(self, far));
        assertEquals(List.of(far), members.silent());
    }

    @Test
    void whoNeverComesIsForgotten() {
        members.view(List.of(self));
        members.said(far, presence());
        IntStream.range(0, CROWD).forEach(i -> members.said(UUID.randomUUID(), presence()));
        members.view(List.of(self, near));
        members.view(List.of(self, near, far));
        assertFalse(members.allAnnounced());
        assertEquals(List.of(near, far), members.silent());
    }
}
