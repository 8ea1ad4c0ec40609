package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import org.eclipse.collections.impl.factory.Bags;
import org.eclipse.collections.impl.factory.BiMaps;
import org.eclipse.collections.impl.factory.Lists;
import org.eclipse.collections.impl.factory.Maps;
import org.eclipse.collections.impl.factory.Multimaps;
import org.eclipse.collections.impl.factory.Sets;
import org.eclipse.collections.impl.factory.primitive.IntLists;
import org.eclipse.collections.impl.factory.primitive.ObjectIntMaps;
import org.eclipse.collections.impl.list.Interval;
import org.eclipse.collections.impl.tuple.Tuples;

final class EclipseCollections {

    private EclipseCollections() {}

    static Row row() {
        return Row.of(
                "Eclipse Collections",
                "eclipse-collections",
                value("mutable list", () -> Lists.mutable.of("a", "b")),
                value("immutable list", () -> Lists.immutable.of("a", "b", "c")),
                value("mutable set", () -> Sets.mutable.of("a", "b")),
                value("immutable map", () -> Maps.immutable.of("a", 1)),
                value("mutable map", () -> Maps.mutable.of("a", 1, "b", 2)),
                value("bag", () -> Bags.mutable.of("a", "a", "b")),
                value("bimap", () -> BiMaps.mutable.of("a", 1)),
                value("multimap", () -> Multimaps.mutable.list.with("a", 1, "a", 2)),
                value("int list", () -> IntLists.mutable.of(1, 2, 3)),
                value("object-int map", () -> ObjectIntMaps.mutable.of("a", 1)),
                value("interval", () -> Interval.oneTo(5)),
                value("pair", () -> Tuples.pair("a", 1)));
    }
}
