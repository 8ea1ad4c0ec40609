package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.code;
import static io.understudy.museum.library.Sample.value;

import clojure.java.api.Clojure;
import clojure.lang.ExceptionInfo;
import clojure.lang.IMeta;
import clojure.lang.IPersistentMap;

final class ClojureValues {

    private ClojureValues() {}

    private static Object evaluated(String text) {
        return Clojure.var("clojure.core", "eval").invoke(Clojure.read(text));
    }

    static Row row() {
        return Row.of(
                        "Clojure",
                        "clojure",
                        value(
                                "keyword",
                                () -> Clojure.read(":shop/cart"),
                                (Object keyword) -> keyword.toString() + (keyword == Clojure.read(":shop/cart"))),
                        value("symbol", () -> Clojure.read("shop/cart")),
                        value("vector", () -> Clojure.read("[1 \"a\" :b nil]")),
                        value("long vector", () -> evaluated("(vec (range 100))")),
                        value("map", () -> Clojure.read("{:a 1, :b [2 {:c #{3}}]}")),
                        value("large map", () -> evaluated("(zipmap (range 100) (range 100))")),
                        value("set", () -> Clojure.read("#{:a :b}")),
                        value("list", () -> evaluated("(list 1 2 3)")),
                        value("empty collections", () -> Clojure.read("[[] {} #{} ()]")),
                        value("sorted map", () -> evaluated("(sorted-map :b 1 :a 2)")),
                        value("sorted set", () -> evaluated("(sorted-set 3 1 2)")),
                        value("ratio and big integer", () -> Clojure.read("[1/3 123456789012345678901234567890N]")),
                        value(
                                "value with metadata",
                                () -> evaluated("(with-meta [1] {:a 1})"),
                                (Object value) -> value + String.valueOf(((IMeta) value).meta())),
                        value("queue", () -> evaluated("(conj clojure.lang.PersistentQueue/EMPTY 1 2)")),
                        value(
                                "ex-info",
                                () -> new ExceptionInfo("no", (IPersistentMap) Clojure.read("{:a 1}")),
                                (ExceptionInfo failed) -> failed.getMessage() + failed.getData()),
                        code("function", () -> evaluated("(comp inc dec)")).refused("clojure.core$comp", "it is code"))
                // As applications in Clojure do: its sorted collections fail for good if they are the first of its
                // classes.
                .after(() -> Clojure.var("clojure.core", "eval"));
    }
}
