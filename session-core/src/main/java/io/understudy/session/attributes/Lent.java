package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec.Weighed;
import io.understudy.replica.Stamp;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * An object that a slot let go, and that threads of no request may still hold.
 *
 * @param stamp of its bytes
 * @param encoding what it was encoded to
 */
record Lent(WeakReference<Object> object, Stamp stamp, Weighed encoding) {

    /** {@code null} if there is nothing that somebody could hold. */
    static @Nullable Lent of(@Nullable Object value, @Nullable Stamp stamp, @Nullable Weighed encoding) {
        return value == null || stamp == null || encoding == null
                ? null
                : new Lent(new WeakReference<>(value), stamp, encoding);
    }

    /** Whether nobody holds it any more. */
    boolean gone() {
        return object.refersTo(null);
    }
}
