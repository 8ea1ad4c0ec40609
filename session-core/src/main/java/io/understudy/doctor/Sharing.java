package io.understudy.doctor;

import io.understudy.doctor.findings.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Objects that several attributes of a session hold. Each attribute travels by itself, so other nodes have one for each.
 *
 * <p>Threads: one.
 */
final class Sharing {

    /** Of objects that are looked at in one session. */
    private static final int MAX_OBJECTS = 100_000;

    /** An object as it was met first. */
    private record Met(int attribute, Path path) {}

    private final IdentityHashMap<Object, Met> met = new IdentityHashMap<>();
    private final Map<String, Symptom> symptoms = new LinkedHashMap<>();

    private Sharing() {}

    /** What the attributes share, each by the path in the later one; what a shared object holds is not named again. */
    static List<Symptom> of(List<GraphNode> attributes) {
        Sharing sharing = new Sharing();
        for (int i = 0; i < attributes.size() && attributes.size() > 1; i++) {
            sharing.walk(i, attributes.get(i));
        }
        return List.copyOf(sharing.symptoms.values());
    }

    private void walk(int attribute, GraphNode root) {
        Deque<GraphNode> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty() && met.size() < MAX_OBJECTS) {
            GraphNode part = open.remove();
            if (Immutability.of(part.value())) {
                continue;
            }
            Met before = met.putIfAbsent(part.value(), new Met(attribute, part.path()));
            if (before == null) {
                open.addAll(ObjectGraph.parts(part));
            } else if (before.attribute() != attribute) {
                shared(part, before.path());
            }
        }
    }

    private void shared(GraphNode part, Path other) {
        Symptom symptom = new Symptom(
                Kind.SHARED,
                part.path(),
                SafeToString.type(part.value()),
                "and " + other + " are one object here, two after replication");
        symptoms.putIfAbsent(symptom.cause() + " " + other.pattern(), symptom);
    }
}
