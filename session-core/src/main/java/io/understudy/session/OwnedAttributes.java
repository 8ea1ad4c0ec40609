package io.understudy.session;

import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.session.activation.ActivationEvents;
import io.understudy.session.attributes.AttributeOwner;
import io.understudy.session.tickets.RunningTickets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the attributes of a live session ask of it. One object of each session: it is small. Threads: any. */
final class OwnedAttributes implements AttributeOwner {

    private final LiveSession session;

    OwnedAttributes(LiveSession session) {
        this.session = session;
    }

    @Override
    public SessionKey key() {
        return session.key();
    }

    @Override
    public RunningTickets running() {
        return session.running();
    }

    @Override
    public @Nullable SessionReplica replica() {
        return session.replica();
    }

    @Override
    public @Nullable SessionReplica fetched() {
        return session.replicated().fetched();
    }

    @Override
    public ActivationEvents events() {
        return session.activations();
    }

    @Override
    public void usedOutside() {
        session.objects().used();
    }

    @Override
    public boolean mayWait() {
        return !session.commits().byThisThread() && !session.slots().toldByThisThread();
    }

    @Override
    public <T> @Nullable T inTurnIfFree(Supplier<T> work) {
        return session.commits().inTurnIfFree(work);
    }
}
