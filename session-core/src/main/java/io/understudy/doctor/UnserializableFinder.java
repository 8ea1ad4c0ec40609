package io.understudy.doctor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The smallest parts of an attribute for which it is refused: each is refused by itself, and none of its own parts is.
 *
 * <p>Threads: one.
 */
final class UnserializableFinder {

    /** Parts that are tried. */
    private static final int MAX_TRIES = 20_000;

    /** How many are named. */
    private static final int MAX_FOUND = 3;

    /** Of steps from the attribute: what is deeper than the codec goes is refused for that alone. */
    private static final int MAX_STEPS = 256;

    /** A part that is refused, and why. */
    record Culprit(GraphNode part, Exception refusal) {}

    /** Whether a value can go to another node. */
    interface Trial {

        /** Why it can't; {@code null} if it can. */
        @Nullable
        Exception refusal(Object value);
    }

    private final Trial trial;
    private final IdentityHashMap<Object, Optional<Exception>> tried = new IdentityHashMap<>();
    private final Set<Object> queued = Collections.newSetFromMap(new IdentityHashMap<>());

    private UnserializableFinder(Trial trial) {
        this.trial = trial;
    }

    /** Those of an attribute that is refused; at least one. */
    static List<Culprit> of(GraphNode attribute, Exception refusal, Trial trial) {
        return new UnserializableFinder(trial).search(new Culprit(attribute, refusal));
    }

    private List<Culprit> search(Culprit attribute) {
        Deque<Culprit> open = new ArrayDeque<>(List.of(attribute));
        queued.add(attribute.part().value());
        List<Culprit> found = new ArrayList<>();
        Culprit last = attribute;
        while (!open.isEmpty() && found.size() < MAX_FOUND && tried.size() < MAX_TRIES) {
            last = open.remove();
            List<Culprit> within = within(last.part());
            if (within.isEmpty()) {
                found.add(last);
            }
            within.stream().filter(part -> queued.add(part.part().value())).forEach(open::add);
        }
        return found.isEmpty() ? List.of(last) : found;
    }

    private List<Culprit> within(GraphNode whole) {
        List<Culprit> refused = new ArrayList<>();
        for (GraphNode part : ObjectGraph.parts(whole)) {
            if (tried.size() < MAX_TRIES && !ObjectGraph.leaf(part.value())) {
                tried.computeIfAbsent(part.value(), value -> Optional.ofNullable(trial.refusal(value)))
                        .ifPresent(refusal -> refused.add(new Culprit(part, refusal)));
            }
        }
        return refused;
    }

    /** The first part that is more steps away than the codec goes; {@code null} if there is none. */
    static @Nullable GraphNode tooDeep(GraphNode attribute) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<GraphNode> open = new ArrayDeque<>(List.of(attribute));
        while (!open.isEmpty() && seen.size() < Comparison.MAX_PAIRS) {
            GraphNode part = open.remove();
            if (part.path().length() > MAX_STEPS) {
                return part;
            }
            if (seen.add(part.value())) {
                open.addAll(ObjectGraph.parts(part));
            }
        }
        return null;
    }
}
