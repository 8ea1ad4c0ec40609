package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import com.google.common.base.Optional;
import com.google.common.collect.ArrayListMultimap;
import com.google.common.collect.HashBasedTable;
import com.google.common.collect.HashBiMap;
import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.collect.Range;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import com.google.common.hash.HashCode;
import com.google.common.net.HostAndPort;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.UnsignedLong;
import java.util.List;
import java.util.Map;

final class Guava {

    private Guava() {}

    static Row row() {
        return Row.of(
                "Guava",
                "guava",
                value("ImmutableList", () -> ImmutableList.of("a", 1)),
                value("ImmutableSet", () -> ImmutableSet.of("b", "a"), (ImmutableSet<?> set) -> List.copyOf(set)),
                value("ImmutableMap", () -> ImmutableMap.of("a", 1)),
                value("ImmutableSortedMap", () -> ImmutableSortedMap.of("b", 1, "a", 2)),
                value("ImmutableRangeSet", () -> ImmutableRangeSet.of(Range.closed(1, 3))),
                value("ImmutableIntArray", () -> ImmutableIntArray.of(1, 2)),
                value("ArrayListMultimap", () -> {
                    ArrayListMultimap<String, Integer> map = ArrayListMultimap.create();
                    map.put("a", 1);
                    map.put("a", 2);
                    return map;
                }),
                value("HashBasedTable", () -> {
                    HashBasedTable<String, String, Integer> table = HashBasedTable.create();
                    table.put("row", "column", 1);
                    return table;
                }),
                value("HashBiMap", () -> HashBiMap.create(Map.of("a", 1))),
                value("HashMultiset", () -> HashMultiset.create(List.of("a", "a"))),
                value("Range", () -> Range.closedOpen(1, 5)),
                value("Optional", () -> Optional.of("a")),
                value("HostAndPort", () -> HostAndPort.fromParts("shop.example.org", 443)),
                value("HashCode", () -> HashCode.fromString("0a0b0c0d")),
                value("UnsignedLong", () -> UnsignedLong.MAX_VALUE),
                value("BloomFilter", () -> {
                    BloomFilter<Integer> filter = BloomFilter.create(Funnels.integerFunnel(), 10);
                    filter.put(7);
                    return filter;
                }));
    }
}
