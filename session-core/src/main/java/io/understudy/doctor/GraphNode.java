package io.understudy.doctor;

/** An object in an attribute, and where it is. */
record GraphNode(Path path, Object value) {

    static GraphNode attribute(String name, Object value) {
        return new GraphNode(Path.attribute(name), value);
    }
}
