package io.understudy.doctor;

import io.understudy.codec.AttributeCodec;
import io.understudy.codec.NotDecodableException;
import io.understudy.codec.NotReplicableException;
import io.understudy.doctor.Examined.Use;
import io.understudy.doctor.findings.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is asked of each attribute, and of a session.
 *
 * <p>Threads: any.
 */
final class Examination {

    /** An attribute above its limit is encoded all the same, to tell what is large in it; not one above this, in bytes. */
    static final int MAX_BYTES = 16 << 20;

    /** From this share of a limit on, in percent, it is near. */
    private static final int NEAR = 80;

    private final AttributeCodec codec;
    private final Findings findings;
    private final Refusals refusals;
    private final long maxAttributeBytes;
    private final long maxSessionBytes;

    Examination(AttributeCodec codec, Findings findings, long maxAttributeBytes, long maxSessionBytes) {
        this.codec = codec;
        this.findings = findings;
        this.refusals = new Refusals(codec, findings);
        this.maxAttributeBytes = maxAttributeBytes;
        this.maxSessionBytes = maxSessionBytes;
    }

    void of(List<Examined> attributes, long otherBytes) {
        List<Encoded> encoded = new ArrayList<>();
        attributes.stream()
                .sorted(Comparator.comparing(Examined::name))
                .forEach(attribute -> guarded(attribute, each -> encode(each, encoded)));
        for (Encoded each : encoded) {
            guarded(each.attribute(), attribute -> copy(each));
            guarded(each.attribute(), attribute -> size(each));
        }
        long sum = otherBytes + encoded.stream().mapToLong(Encoded::size).sum();
        session(encoded, sum);
        if (sum <= maxSessionBytes) {
            encoded.forEach(each -> guarded(each.attribute(), attribute -> unnoticed(each)));
        }
        for (Symptom shared : Sharing.of(encoded.stream().map(Encoded::part).toList())) {
            String name = shared.path().attribute();
            encoded.stream()
                    .filter(each -> each.attribute().name().equals(name))
                    .forEach(each -> findings.add(name, each.size(), shared));
        }
    }

    /** Attributes are examined one by one: what fails, mostly in code of the application, is one of them. */
    private void guarded(Examined attribute, Consumer<Examined> step) {
        try {
            step.accept(attribute);
        } catch (RuntimeException | Error e) {
            findings.failed("attribute '" + attribute.name() + "'", e);
        }
    }

    private void encode(Examined attribute, List<Encoded> encoded) {
        GraphNode part = GraphNode.attribute(attribute.name(), attribute.value());
        try {
            encoded.add(new Encoded(attribute, part, codec.encode(attribute.value(), MAX_BYTES)));
        } catch (NotReplicableException e) {
            if (e.tooLarge()) {
                tooLarge(part);
            } else if (!e.passing()) {
                refusals.notEncoded(part, e);
            }
        }
    }

    private void copy(Encoded each) {
        if (each.attribute().use() == Use.NONE) {
            return;
        }
        Object copy;
        try {
            copy = codec.decode(each.bytes());
        } catch (NotDecodableException e) {
            if (undisturbed(each)) {
                refusals.notDecoded(each.part(), each.size(), e);
            }
            return;
        }
        List<Symptom> symptoms = Comparison.of(each.part(), copy);
        if (!symptoms.isEmpty() && undisturbed(each)) {
            symptoms.forEach(symptom -> findings.add(each.attribute().name(), each.size(), symptom));
        }
    }

    /** What another request, or a thread of the application, changed since it was encoded may differ from the copy for that. */
    private boolean undisturbed(Encoded each) {
        try {
            return Arrays.equals(each.bytes(), codec.encode(each.part().value(), MAX_BYTES))
                    && each.attribute().settled().getAsBoolean();
        } catch (NotReplicableException e) {
            return false;
        }
    }

    private void size(Encoded each) {
        findings.size(each.attribute().name(), each.size());
        large(each.part(), each.size(), each.size(), maxAttributeBytes, "maxAttributeBytes", each.part());
    }

    private void session(List<Encoded> encoded, long sum) {
        findings.size("", sum);
        encoded.stream()
                .max(Comparator.comparingInt(Encoded::size))
                .ifPresent(largest -> guarded(
                        largest.attribute(),
                        attribute -> large(
                                GraphNode.attribute("", ""),
                                sum,
                                largest.size(),
                                maxSessionBytes,
                                "maxSessionBytes",
                                largest.part())));
    }

    /** What is in it is not weighed. */
    private void tooLarge(GraphNode attribute) {
        String text = "more than " + MAX_BYTES + " bytes are above maxAttributeBytes = " + maxAttributeBytes;
        findings.add(
                attribute.path().attribute(),
                -1,
                new Symptom(Kind.LARGE, attribute.path(), SafeToString.type(attribute.value()), text));
    }

    private void large(GraphNode whole, long bytes, int heaviest, long limit, String setting, GraphNode weighed) {
        String how = bytes > limit ? "above" : "near";
        String name = whole.path().attribute();
        if (bytes * 100 < limit * NEAR || !findings.firstTime("large " + name + " " + how)) {
            return;
        }
        String parts = Weight.of(weighed, heaviest, codec);
        String text = bytes + " bytes are " + how + " " + setting + " = " + limit + "; in bytes: " + weighed.path()
                + " " + heaviest + (parts.isEmpty() ? "" : ", " + parts);
        findings.add(
                name, (int) bytes, new Symptom(Kind.LARGE, whole.path(), SafeToString.type(weighed.value()), text));
    }

    /** A value that is not as it was replicated, although no request is about to send it. */
    private void unnoticed(Encoded each) {
        Examined attribute = each.attribute();
        byte[] replicated = attribute.replicated().bytes();
        if (replicated == null
                || attribute.use() == Use.UNCOMMITTED
                || each.size() > maxAttributeBytes
                || Arrays.equals(replicated, each.bytes())) {
            return;
        }
        try {
            Object before = codec.decode(replicated);
            // Encodings need not be canonical: what equals that of a fresh copy is no change.
            if (Arrays.equals(codec.encode(before, MAX_BYTES), each.bytes())) {
                return;
            }
            List<Symptom> changes = Comparison.of(
                    new GraphNode(each.part().path(), before), each.part().value());
            Path where = changes.isEmpty() ? each.part().path() : changes.get(0).path();
            String how = attribute.use() == Use.NONE
                    ? "was changed, but its attribute neither read nor set"
                    : "was changed after the request's last commit";
            if (attribute.settled().getAsBoolean()) {
                findings.add(
                        attribute.name(),
                        each.size(),
                        new Symptom(Kind.UNNOTICED, where, SafeToString.type(attribute.value()), how));
            }
        } catch (NotDecodableException | NotReplicableException e) {
            // Told by its own round trip.
        }
    }
}
