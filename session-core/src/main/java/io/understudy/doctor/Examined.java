package io.understudy.doctor;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An attribute as a request left it.
 *
 * @param use what the request, or one beside it, did with it
 * @param replicated what this node replicated of it last
 * @param settled whether no other request has used the session since the examination began, so that the value is as it was
 *     then, and should be as it was replicated
 */
public record Examined(String name, Object value, Use use, Replicated replicated, BooleanSupplier settled) {

    /** What requests did with an attribute. */
    public enum Use {
        /** Nothing. */
        NONE,
        /** It was read, or set and committed. */
        USED,
        /** It was set after the last commit, and goes with the next. */
        UNCOMMITTED
    }

    /** Gives the bytes that were replicated last; {@code null} if there are none. */
    @FunctionalInterface
    public interface Replicated {
        byte @Nullable [] bytes();
    }
}
