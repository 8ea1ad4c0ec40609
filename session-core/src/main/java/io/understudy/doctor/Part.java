package io.understudy.doctor;

/** An object in an attribute, and where it is. */
record Part(Path path, Object value) {

    static Part attribute(String name, Object value) {
        return new Part(Path.attribute(name), value);
    }
}
