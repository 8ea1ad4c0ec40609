package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.javatuples.KeyValue;
import org.javatuples.Pair;
import org.javatuples.Triplet;

final class Javatuples {

    private Javatuples() {}

    static Row row() {
        return Row.of(
                "javatuples",
                "javatuples",
                value("Pair", () -> Pair.with("a", 1)),
                value("Triplet", () -> Triplet.with("a", 1, true)),
                value("KeyValue", () -> KeyValue.with("a", 1)));
    }
}
