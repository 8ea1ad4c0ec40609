package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.collections4.bag.HashBag;
import org.apache.commons.collections4.bidimap.DualHashBidiMap;
import org.apache.commons.collections4.keyvalue.MultiKey;
import org.apache.commons.collections4.list.SetUniqueList;
import org.apache.commons.collections4.map.CaseInsensitiveMap;
import org.apache.commons.collections4.map.DefaultedMap;
import org.apache.commons.collections4.map.LRUMap;
import org.apache.commons.collections4.map.LinkedMap;
import org.apache.commons.collections4.map.ListOrderedMap;
import org.apache.commons.collections4.multimap.ArrayListValuedHashMap;
import org.apache.commons.collections4.queue.CircularFifoQueue;
import org.apache.commons.collections4.trie.PatriciaTrie;

final class CommonsCollections4 {

    private CommonsCollections4() {}

    static Row row() {
        return Row.of(
                "Apache Commons Collections 4",
                "commons-collections4",
                value("HashBag", () -> new HashBag<>(List.of("a", "a"))),
                value("DualHashBidiMap", () -> new DualHashBidiMap<>(Map.of("a", 1))),
                value("MultiKey", () -> new MultiKey<>("a", "b")),
                value("SetUniqueList", () -> SetUniqueList.setUniqueList(new ArrayList<>(List.of("a", "b")))),
                value(
                        "CaseInsensitiveMap",
                        () -> new CaseInsensitiveMap<>(Map.of("A", 1)),
                        (Map<?, ?> map) -> map.get("a")),
                value(
                        "DefaultedMap",
                        () -> DefaultedMap.defaultedMap(new HashMap<>(Map.of("a", 1)), 0),
                        (Map<?, ?> map) -> List.of(map.get("a"), map.get("b"))),
                value("LRUMap", () -> new LRUMap<>(Map.of("a", 1))),
                value("LinkedMap", () -> new LinkedMap<>(Map.of("a", 1))),
                value("ListOrderedMap", () -> ListOrderedMap.listOrderedMap(new HashMap<>(Map.of("a", 1)))),
                value("ArrayListValuedHashMap", () -> {
                    ArrayListValuedHashMap<String, Integer> map = new ArrayListValuedHashMap<>();
                    map.put("a", 1);
                    map.put("a", 2);
                    return map;
                }),
                value(
                        "CircularFifoQueue",
                        () -> new CircularFifoQueue<>(List.of(1, 2)),
                        (CircularFifoQueue<?> queue) -> List.copyOf(queue) + " of " + queue.maxSize()),
                value("PatriciaTrie", () -> new PatriciaTrie<>(Map.of("ab", 1, "ac", 2))));
    }
}
