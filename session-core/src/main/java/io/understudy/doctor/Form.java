package io.understudy.doctor;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One object of a {@link Likeness}.
 *
 * @param type the class's name if another likeness needs the same, else empty
 * @param text what the object is by itself, whole; {@code null} if it is only what it consists of
 * @param shown the object as a message shows it
 * @param members what it consists of, by ids that are the same in another likeness; filled once
 */
record Form(String type, @Nullable String text, String shown, Map<String, Form.Member> members) {

    /** How deep forms are read to sort the elements of a set, and how many characters of text that gives. */
    private static final int DEPTH = 4;

    private static final int MAX_CHARACTERS = 2000;

    /**
     * A part of an object.
     *
     * @param step from the object to the part, in a path
     * @param pattern the same without index or key
     */
    record Member(String step, String pattern, boolean inTransient, Form form) {}

    static Form of(String type, @Nullable String text, String shown) {
        return new Form(type, text, shown, new LinkedHashMap<>());
    }

    void add(String id, String step, String pattern, boolean inTransient, Form form) {
        members.put(id, new Member(step, pattern, inTransient, form));
    }

    /** A text that sorts elements of sets in the same order in each likeness, as far as their values differ. */
    String order() {
        StringBuilder text = new StringBuilder();
        order(text, DEPTH);
        return text.toString();
    }

    private void order(StringBuilder into, int depth) {
        into.append(type).append(' ').append(text).append('{');
        if (depth > 0) {
            members.forEach((id, member) -> {
                if (into.length() < MAX_CHARACTERS && !member.inTransient()) {
                    into.append(id).append('=');
                    member.form().order(into, depth - 1);
                }
            });
        }
        into.append('}');
    }
}
