package io.understudy.session.attributes;

import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.session.activation.ActivationEvents;
import io.understudy.session.tickets.RunningTickets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What attributes ask of their session. Threads: any. */
public interface AttributeOwner {

    SessionKey key();

    /** The requests that use the session. */
    RunningTickets running();

    /** With its attributes; {@code null} if they can't be read from disk, or nothing is known of the session any more. */
    @Nullable
    SessionReplica replica();

    /** A session that can't be read from disk, as another member sends it within 2 seconds; {@code null} if none does. */
    @Nullable
    SessionReplica fetched();

    ActivationEvents events();

    /** A thread that works for no request, and may hold any lock, has used an attribute. */
    void usedOutside();

    /**
     * Whether the calling thread may wait for another that notifies an attribute: nobody waits for this thread, then.
     */
    boolean mayWait();

    /** Work for which no commit may be made meanwhile; {@code null}, and nothing is done, while one is. */
    <T> @Nullable T inTurnIfFree(Supplier<T> work);
}
