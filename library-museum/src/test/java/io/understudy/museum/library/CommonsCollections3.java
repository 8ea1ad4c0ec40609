package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.code;
import static io.understudy.museum.library.Sample.value;

import java.util.List;
import java.util.Map;
import org.apache.commons.collections.bag.HashBag;
import org.apache.commons.collections.bidimap.DualHashBidiMap;
import org.apache.commons.collections.buffer.BoundedFifoBuffer;
import org.apache.commons.collections.comparators.NullComparator;
import org.apache.commons.collections.functors.InvokerTransformer;
import org.apache.commons.collections.keyvalue.MultiKey;
import org.apache.commons.collections.list.CursorableLinkedList;
import org.apache.commons.collections.map.CaseInsensitiveMap;
import org.apache.commons.collections.map.LRUMap;
import org.apache.commons.collections.map.LinkedMap;
import org.apache.commons.collections.map.MultiKeyMap;

final class CommonsCollections3 {

    private CommonsCollections3() {}

    @SuppressWarnings("unchecked") // It has no type parameters.
    static Row row() {
        return Row.of(
                "Apache Commons Collections 3",
                "commons-collections",
                value("HashBag", () -> new HashBag(List.of("a", "a"))),
                value("DualHashBidiMap", () -> new DualHashBidiMap(Map.of("a", 1))),
                value(
                        "BoundedFifoBuffer",
                        () -> new BoundedFifoBuffer(List.of(1, 2)),
                        (BoundedFifoBuffer buffer) -> List.of(buffer.toArray())),
                value("NullComparator", () -> new NullComparator(true)),
                value("MultiKey", () -> new MultiKey("a", "b")),
                value("CursorableLinkedList", () -> new CursorableLinkedList(List.of("a", "b"))),
                value("CaseInsensitiveMap", () -> new CaseInsensitiveMap(Map.of("A", 1))),
                value("LRUMap", () -> new LRUMap(Map.of("a", 1))),
                value("LinkedMap", () -> new LinkedMap(Map.of("a", 1))),
                value("MultiKeyMap", () -> {
                    MultiKeyMap map = new MultiKeyMap();
                    map.put("a", "b", 1);
                    return map;
                }),
                code("InvokerTransformer", () -> new InvokerTransformer("toString", null, null))
                        .lostByJdk(
                                "InvokerTransformer is known for turning deserialization into code execution",
                                "the library itself refuses to serialize it"));
    }
}
