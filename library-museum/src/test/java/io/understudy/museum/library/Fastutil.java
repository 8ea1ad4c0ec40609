package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.objects.Object2IntLinkedOpenHashMap;
import it.unimi.dsi.fastutil.objects.ObjectArrayList;
import java.util.List;
import java.util.Map;

final class Fastutil {

    private Fastutil() {}

    static Row row() {
        return Row.of(
                "fastutil",
                "fastutil",
                value("IntArrayList", () -> IntArrayList.of(1, 2)),
                value("LongOpenHashSet", () -> LongOpenHashSet.of(1, 2)),
                value("Int2ObjectOpenHashMap", () -> new Int2ObjectOpenHashMap<>(Map.of(1, "a"))),
                value("Object2IntLinkedOpenHashMap", () -> new Object2IntLinkedOpenHashMap<>(Map.of("a", 1))),
                value("ObjectArrayList", () -> new ObjectArrayList<>(List.of("a"))));
    }
}
