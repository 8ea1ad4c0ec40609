package io.understudy.cluster.membership;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A node that lacked memory just when it turned coherent, as its last incoherent application left. */
@Tag("rules")
class NodeCoherenceTest {

    private static final Address SELF = UUID.randomUUID();
    private static final CompletableFuture<Void> NOTHING_OPEN = CompletableFuture.completedFuture(null);

    private final Queue<Supplier<CompletableFuture<Void>>> settling = new ArrayDeque<>();
    private final NodeCoherence node = new NodeCoherence(
            new Members(() -> SELF, () -> 0), () -> settling.remove().get(), () -> 1);

    @Test
    void turnsAtTheNextLookIfTheTurnThrew() {
        settling.add(() -> {
            throw new OutOfMemoryError("thrown by the test");
        });
        settling.add(() -> NOTHING_OPEN);
        node.applications(false);
        assertThrows(OutOfMemoryError.class, () -> node.applications(true));
        assertFalse(node.coherent());
        node.applications(true);
        assertTrue(node.coherent());
    }

    @Test
    void turnsAtTheNextLookIfWaitingForTheOpenChangesFailed() {
        settling.add(() -> CompletableFuture.failedFuture(new OutOfMemoryError("thrown by the test")));
        settling.add(() -> NOTHING_OPEN);
        node.applications(false);
        node.applications(true);
        assertFalse(node.coherent());
        node.applications(true);
        assertTrue(node.coherent());
    }

    @Test
    void turnsOnceIfNothingFailed() {
        settling.add(() -> NOTHING_OPEN);
        node.applications(false);
        node.applications(true);
        node.applications(true);
        assertTrue(node.coherent());
    }
}
