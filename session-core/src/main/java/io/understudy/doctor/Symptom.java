package io.understudy.doctor;

import io.understudy.doctor.findings.Kind;

/**
 * Something that is wrong at one place of an attribute.
 *
 * @param type the class that is to be looked at
 * @param text what is wrong, after the path and a colon
 */
record Symptom(Kind kind, Path path, String type, String text) {

    /** The same for all that one cause brings about, in any session. */
    String cause() {
        return kind + " " + path.pattern() + " " + type;
    }
}
