package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.util.List;
import java.util.Map;
import org.pcollections.ConsPStack;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.OrderedPSet;
import org.pcollections.TreePVector;

final class PCollections {

    private PCollections() {}

    static Row row() {
        return Row.of(
                "PCollections",
                "pcollections",
                value("TreePVector", () -> TreePVector.from(List.of("a", "b"))),
                value("ConsPStack", () -> ConsPStack.from(List.of("a", "b"))),
                value("HashTreePMap", () -> HashTreePMap.from(Map.of("a", 1))),
                value("HashTreePSet", () -> HashTreePSet.from(List.of("a"))),
                value("OrderedPSet", () -> OrderedPSet.from(List.of("b", "a"))));
    }
}
