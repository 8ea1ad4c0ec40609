package io.understudy.rehearsal;

import io.understudy.codec.AttributeCodec;
import io.understudy.codec.NotDecodableException;
import io.understudy.codec.NotReplicableException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Why this node could not take over an attribute whole.
 *
 * @param text names the class or field
 */
record RehearsalFailure(RehearsalReason reason, String attribute, String text) {

    /** Decodes a value, encodes its copy, and catches all that the application's classes throw. */
    static List<RehearsalFailure> rehearse(AttributeCodec codec, String attribute, byte[] bytes) {
        try {
            return lost(attribute, codec.rehearse(bytes));
        } catch (NotDecodableException e) {
            return one(RehearsalReason.of(e.reason()), attribute, String.valueOf(e.getMessage()));
        } catch (NotReplicableException e) {
            return one(RehearsalReason.NOT_ENCODED, attribute, String.valueOf(e.getMessage()));
        } catch (Throwable e) { // Its message may be the application's code, too.
            return one(RehearsalReason.FAILED, attribute, e.getClass().getName());
        }
    }

    private static List<RehearsalFailure> one(RehearsalReason reason, String attribute, String text) {
        return List.of(new RehearsalFailure(reason, attribute, text));
    }

    /**
     * One for each class that lacks fields: sessions have values in some of them only, and make one cause
     * nevertheless.
     */
    private static List<RehearsalFailure> lost(String attribute, Set<String> fields) {
        if (fields.isEmpty()) {
            return List.of();
        }
        Map<String, Set<String>> byClass = new TreeMap<>();
        for (String field : fields) {
            int dot = field.lastIndexOf('.');
            byClass.computeIfAbsent(field.substring(0, dot), name -> new TreeSet<>())
                    .add(field);
        }
        return byClass.values().stream()
                .map(each -> new RehearsalFailure(RehearsalReason.FIELDS_LOST, attribute, String.join(", ", each)))
                .toList();
    }
}
