package io.understudy.doctor;

import io.understudy.codec.AttributeCodec;
import io.understudy.codec.NotDecodableException;
import io.understudy.codec.NotReplicableException;
import io.understudy.doctor.UnserializableFinder.Culprit;
import io.understudy.doctor.UnserializableFinder.Trial;
import io.understudy.doctor.findings.Kind;
import java.io.NotSerializableException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Attributes that can't be encoded, or not decoded, and the parts that are the reason.
 *
 * <p>Threads: any.
 */
final class Refusals {

    private final AttributeCodec codec;
    private final Findings findings;

    Refusals(AttributeCodec codec, Findings findings) {
        this.codec = codec;
        this.findings = findings;
    }

    void notEncoded(GraphNode attribute, NotReplicableException refusal) {
        name(refusal.unreadable() ? Kind.NOT_DECODED : Kind.NOT_ENCODED, attribute, -1, refusal, this::encoding);
    }

    void notDecoded(GraphNode attribute, int bytes, NotDecodableException refusal) {
        name(Kind.NOT_DECODED, attribute, bytes, refusal, this::decoding);
    }

    private @Nullable Exception encoding(Object value) {
        try {
            codec.encode(value, Examination.MAX_BYTES);
            return null;
        } catch (NotReplicableException e) {
            return e;
        }
    }

    /** A part that can't be encoded by itself is none that can't be decoded. */
    private @Nullable Exception decoding(Object value) {
        try {
            codec.decode(codec.encode(value, Examination.MAX_BYTES));
            return null;
        } catch (NotReplicableException e) {
            return null;
        } catch (NotDecodableException e) {
            return e;
        }
    }

    /** The search takes its time, so it is done once for each reason that an attribute is refused for. */
    private void name(Kind kind, GraphNode attribute, int bytes, Exception refusal, Trial trial) {
        String name = attribute.path().attribute();
        if (!findings.firstTime(
                kind + " " + name + " " + SafeToString.type(attribute.value()) + " " + refusal.getMessage())) {
            return;
        }
        GraphNode deep = byDepth(refusal) ? UnserializableFinder.tooDeep(attribute) : null;
        if (deep != null) {
            findings.add(
                    name,
                    bytes,
                    new Symptom(
                            Kind.TOO_DEEP,
                            deep.path(),
                            SafeToString.type(deep.value()),
                            "nests deeper than 256 objects"));
            return;
        }
        for (Culprit culprit : UnserializableFinder.of(attribute, refusal, trial)) {
            Object value = culprit.part().value();
            findings.add(
                    name,
                    bytes,
                    new Symptom(
                            kind, culprit.part().path(), SafeToString.type(value), reason(value, culprit.refusal())));
        }
    }

    /** Whether the depth may be what is objected to. */
    private static boolean byDepth(Exception refusal) {
        for (Throwable at = refusal; at != null; at = at.getCause()) {
            String message = String.valueOf(at.getMessage());
            if (at instanceof StackOverflowError || message.contains("depth")) {
                return true;
            }
        }
        return false;
    }

    private static String reason(Object value, Exception refusal) {
        Throwable root = refusal;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof NotSerializableException) {
            return SafeToString.type(value).equals(root.getMessage()) || !(value instanceof Serializable)
                    ? "does not implement java.io.Serializable"
                    : "holds, where it can't be looked into, a " + root.getMessage()
                            + ", which does not implement java.io.Serializable";
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
