package io.understudy.session.attributes;

import org.jspecify.annotations.Nullable;

/**
 * The thread that tells the value of a slot something, if one does.
 *
 * <p>Threads: guarded by the slot.
 */
final class SlotTelling {

    private @Nullable Telling current;

    /** {@link #end} is to follow. */
    Telling begin(Object value) {
        current = new Telling(value);
        return current;
    }

    /** The same for a value that may be another one than the slot has by now: if that is being told, nobody waits for this one. */
    Telling beginBeside(Object value) {
        return current == null ? begin(value) : new Telling(value);
    }

    /** {@code null} if this value is not being told. */
    @Nullable
    Telling of(Object value) {
        return current != null && current.of(value) ? current : null;
    }

    @SuppressWarnings("ReferenceEquality") // Another one goes on.
    void end(Telling ended) {
        ended.over();
        if (current == ended) {
            current = null;
        }
    }

    boolean byThisThread() {
        return current != null && current.byThisThread();
    }

    boolean any() {
        return current != null;
    }
}
