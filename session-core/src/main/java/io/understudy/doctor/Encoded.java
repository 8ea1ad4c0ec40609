package io.understudy.doctor;

/** An attribute that can be encoded. */
final class Encoded {

    private final Examined attribute;
    private final GraphNode part;
    private final byte[] bytes;

    Encoded(Examined attribute, GraphNode part, byte[] bytes) {
        this.attribute = attribute;
        this.part = part;
        this.bytes = bytes;
    }

    Examined attribute() {
        return attribute;
    }

    GraphNode part() {
        return part;
    }

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return bytes.length;
    }
}
