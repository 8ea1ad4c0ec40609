package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec.Weighed;
import io.understudy.replica.StampedBytes;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a slot when all of a commit is merged.
 *
 * @param change what is sent of it; {@code null} if nothing is
 * @param encoded whether its value is the one of the baseline; else it could not be encoded
 * @param putOff whether it is in use, and could not be encoded for a reason that may be gone at the next try
 * @param failing of a value that could not be encoded for a reason that may pass; else {@code null}
 * @param baseline what the replica holds of it then; of a value that was not encoded {@code null} if it holds what it held
 */
record FoundChange(
        String name,
        AttributeSlot slot,
        Look seen,
        @Nullable StampedBytes change,
        boolean encoded,
        boolean putOff,
        @Nullable PutOff failing,
        @Nullable StampedBytes baseline,
        @Nullable Weighed encoding) {

    /** Whether other nodes keep an older state of it until a later commit. */
    boolean leavesPutOff() {
        return failing != null && !failing.over();
    }

    void committed() {
        if (encoded) {
            slot.committed(seen, baseline, encoding);
        } else {
            slot.kept(seen, baseline, failing);
        }
    }
}
