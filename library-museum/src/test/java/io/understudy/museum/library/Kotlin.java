package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.util.List;
import java.util.Map;
import java.util.Set;
import kotlin.Lazy;
import kotlin.LazyKt;
import kotlin.NotImplementedError;
import kotlin.Pair;
import kotlin.Triple;
import kotlin.collections.CollectionsKt;
import kotlin.collections.MapsKt;
import kotlin.collections.SetsKt;
import kotlin.text.Regex;
import kotlin.text.RegexOption;

final class Kotlin {

    private Kotlin() {}

    static Row row() {
        return Row.of(
                "Kotlin",
                "kotlin-stdlib",
                value("Pair", () -> new Pair<>("a", 1)),
                value("Triple", () -> new Triple<>("a", 1, true)),
                value("listOf()", CollectionsKt::emptyList, (List<?> list) -> list == CollectionsKt.emptyList()),
                value("emptyMap()", MapsKt::emptyMap),
                value("emptySet()", SetsKt::emptySet),
                value("buildList", () -> {
                    List<String> list = CollectionsKt.createListBuilder();
                    list.add("a");
                    return CollectionsKt.build(list);
                }),
                value("buildMap", () -> {
                    Map<String, Integer> map = MapsKt.createMapBuilder();
                    map.put("a", 1);
                    return MapsKt.build(map);
                }),
                value("buildSet", () -> {
                    Set<String> set = SetsKt.createSetBuilder();
                    set.add("a");
                    return SetsKt.build(set);
                }),
                value("lazy value", () -> LazyKt.lazy(() -> "a"), (Lazy<?> lazy) -> lazy.getValue()),
                value(
                        "Regex",
                        () -> new Regex("a+", RegexOption.IGNORE_CASE),
                        (Regex regex) -> regex.getPattern() + regex.getOptions()),
                value("NotImplementedError", () -> new NotImplementedError("later"), Throwable::toString));
    }
}
