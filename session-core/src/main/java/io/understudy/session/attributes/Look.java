package io.understudy.session.attributes;

import io.understudy.replica.StampedBytes;
import org.jspecify.annotations.Nullable;

/**
 * An {@link AttributeSlot} at one moment, as a commit looks at it.
 *
 * @param value {@code null} if there is none, or nobody asked for it
 * @param baseline what the value was decoded from, or last encoded to
 * @param encoding what the value was encoded to when it was as in the baseline; {@code null} if it was not decoded
 * @param fresh whether it was decoded, and was not told so yet
 * @param again whether it could not be encoded before
 * @param replaced whether it is another object than the last commit saw
 * @param putOff since when it can't be encoded for a reason that may pass; {@code null} if it is not so
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares looks.
record Look(
        Use use,
        @Nullable Object value,
        @Nullable StampedBytes baseline,
        byte @Nullable [] encoding,
        boolean fresh,
        boolean again,
        boolean replaced,
        @Nullable PutOff putOff) {}
