package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import io.vavr.Tuple;
import io.vavr.collection.HashMap;
import io.vavr.collection.HashSet;
import io.vavr.collection.LinkedHashMap;
import io.vavr.collection.List;
import io.vavr.collection.Stream;
import io.vavr.collection.TreeMap;
import io.vavr.collection.Vector;
import io.vavr.control.Either;
import io.vavr.control.Option;
import io.vavr.control.Try;
import io.vavr.control.Validation;

final class Vavr {

    private Vavr() {}

    static Row row() {
        return Row.of(
                "Vavr",
                "vavr",
                value("List", () -> List.of("a", "b")),
                value("Vector", () -> Vector.of(1, 2, 3)),
                value("Stream", () -> Stream.of(1, 2, 3), (Stream<?> stream) -> stream.toJavaList()),
                value("HashMap", () -> HashMap.of("a", 1)),
                value("LinkedHashMap", () -> LinkedHashMap.of("b", 1, "a", 2)),
                value("TreeMap", () -> TreeMap.of("b", 1, "a", 2)),
                value("HashSet", () -> HashSet.of("a", "b")),
                value("Tuple", () -> Tuple.of("a", 1, true)),
                value("Option", () -> Option.of("a")),
                value("None", Option::none),
                value("Either", () -> Either.left("wrong")),
                value("Try", () -> Try.success(1)),
                value("Validation", () -> Validation.invalid("empty")));
    }
}
