package io.understudy.session.attributes;

import io.understudy.codec.AttributeCodec;
import io.understudy.codec.AttributeCodec.Weighed;
import io.understudy.codec.NotDecodableException;
import io.understudy.codec.NotReplicableException;
import io.understudy.codec.WireText;
import io.understudy.session.failures.KeptAttributes.Reason;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the values that commits look at, and tells whether they changed. Whatever the application's classes throw
 * becomes the reason why a value is not encoded.
 *
 * <p>Threads: any.
 */
final class AttributeEncoder {

    private final AttributeCodec codec;

    AttributeEncoder(AttributeCodec codec) {
        this.codec = codec;
    }

    /**
     * Why a value was not encoded.
     *
     * @param passing whether the next try may succeed
     * @param changing whether another thread that changes the value may be the reason
     * @param repeated see {@link NotReplicableException#repeated}
     * @param refusal which can be explained; {@code null} if there is none
     */
    record Failure(
            Reason kind,
            String text,
            boolean passing,
            boolean changing,
            @Nullable String repeated,
            @Nullable NotReplicableException refusal) {

        static Failure of(Reason kind, String text, boolean passing) {
            return new Failure(kind, text, passing, false, null, null);
        }
    }

    /** What encoding a value gave: bytes, or a failure. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    record Encoding(@Nullable Weighed value, @Nullable Failure failure) {

        private static Encoding of(Weighed value) {
            return new Encoding(value, null);
        }

        private static Encoding failed(Failure failure) {
            return new Encoding(null, failure);
        }
    }

    /** @param known what the value was encoded to, if it is the same */
    Encoding encode(String name, Object value, Use use, byte @Nullable [] known) {
        String objection = WireText.objection(name);
        if (objection != null) {
            return Encoding.failed(Failure.of(Reason.NAME, "in its name, " + objection, false));
        }
        try {
            // What was only read is rarely changed: then it counts by its bytes, as heavy as it was.
            return use == Use.READ
                    ? Encoding.of(new Weighed(codec.encode(value, known), 0))
                    : Encoding.of(codec.weigh(value, known));
        } catch (NotReplicableException e) {
            return Encoding.failed(new Failure(
                    Reason.of(e), String.valueOf(e.getMessage()), e.passing(), e.changing(), e.repeated(), e));
        } catch (ThreadDeath e) {
            throw e; // The thread is to end, and nothing of this commit is sent.
        } catch (Throwable e) {
            return Encoding.failed(
                    Failure.of(Reason.ENCODING, "encoding it failed with " + e, e instanceof OutOfMemoryError));
        }
    }

    /** The text of a failure, with all classes that are in the way. */
    String explained(Object value, Failure failure) {
        NotReplicableException refusal = failure.refusal();
        try {
            return refusal == null
                    ? failure.text()
                    : String.valueOf(codec.explained(value, refusal).getMessage());
        } catch (ThreadDeath e) {
            throw e;
        } catch (Throwable e) {
            return failure.text(); // Of the application's classes.
        }
    }

    /**
     * Whether a value that was read has other bytes than the baseline. Encodings need not be canonical: the hash tables of
     * a copy may have another order than the value had that was encoded. So if nothing else than the baseline is known, a
     * fresh copy of it decides.
     */
    boolean changedInPlace(byte[] bytes, Look seen) {
        byte[] baseline = seen.baseline() == null ? null : seen.baseline().bytes();
        if (baseline == null) {
            return false; // Set here, and not replicable so far: it is looked at again as what was set.
        }
        if (Arrays.equals(bytes, seen.encoding())) {
            return false;
        }
        if (!Arrays.equals(baseline, seen.encoding())) {
            return true;
        }
        try {
            return !Arrays.equals(bytes, codec.encode(codec.decode(baseline)));
        } catch (NotDecodableException | NotReplicableException e) {
            return true;
        } catch (ThreadDeath e) {
            throw e;
        } catch (Throwable e) {
            return true; // Of the application's classes.
        }
    }
}
