package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.util.ArrayList;
import java.util.List;
import scala.Option;
import scala.Some;
import scala.Tuple2;
import scala.collection.immutable.LazyList$;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Range$;
import scala.collection.mutable.ArrayBuffer;
import scala.collection.mutable.Buffer;
import scala.jdk.javaapi.CollectionConverters;
import scala.math.BigDecimal$;
import scala.util.Left;
import scala.util.Right;
import scala.util.Success;

final class Scala {

    private Scala() {}

    static Row row() {
        return Row.of(
                "Scala",
                "scala-library",
                value("List", () -> items().toList()),
                value("Nil", () -> Nil$.MODULE$, (Object nil) -> nil == Nil$.MODULE$),
                value("Vector", () -> items().toVector()),
                value("Set", () -> items().toSet()),
                value("Map", () -> pairs().toMap(scala.$less$colon$less$.MODULE$.refl())),
                value("LazyList", () -> LazyList$.MODULE$.from(items())),
                value("ArrayBuffer", () -> ArrayBuffer.from(items())),
                value("Range", () -> Range$.MODULE$.inclusive(1, 9)),
                value("Some", () -> new Some<>("a")),
                value("None", Option::empty, (Object none) -> none == Option.empty()),
                value("Tuple2", () -> new Tuple2<>("a", 1)),
                value("Left and Right", () -> new Tuple2<>(new Left<>("a"), new Right<>(1))),
                value("Success", () -> new Success<>("a")),
                value("BigDecimal", () -> BigDecimal$.MODULE$.apply("1.10")),
                value("Duration", () -> scala.concurrent.duration.Duration.apply("3 seconds")));
    }

    private static Buffer<Object> items() {
        return CollectionConverters.asScala(new ArrayList<Object>(List.of("a", 1)));
    }

    private static Buffer<Tuple2<String, Integer>> pairs() {
        return CollectionConverters.asScala(new ArrayList<>(List.of(new Tuple2<>("a", 1), new Tuple2<>("b", 2))));
    }
}
