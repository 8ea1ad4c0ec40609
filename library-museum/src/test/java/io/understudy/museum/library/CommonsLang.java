package io.understudy.museum.library;

import static io.understudy.museum.library.Sample.value;

import java.util.BitSet;
import org.apache.commons.lang3.Range;
import org.apache.commons.lang3.exception.ContextedRuntimeException;
import org.apache.commons.lang3.math.Fraction;
import org.apache.commons.lang3.mutable.MutableInt;
import org.apache.commons.lang3.mutable.MutableObject;
import org.apache.commons.lang3.time.FastDateFormat;
import org.apache.commons.lang3.tuple.ImmutableTriple;
import org.apache.commons.lang3.tuple.MutablePair;
import org.apache.commons.lang3.tuple.Pair;

final class CommonsLang {

    private CommonsLang() {}

    static Row row() {
        return Row.of(
                "Apache Commons Lang",
                "commons-lang3",
                value("ImmutablePair", () -> Pair.of("a", 1)),
                value("MutablePair", () -> MutablePair.of("a", new BitSet(3))),
                value("ImmutableTriple", () -> ImmutableTriple.of("a", 1, true)),
                value("Range", () -> Range.of(1, 5)),
                value("Fraction", () -> Fraction.getFraction(1, 3)),
                value("MutableInt", () -> new MutableInt(3)),
                value("MutableObject", () -> new MutableObject<>("a")),
                value("FastDateFormat", () -> FastDateFormat.getInstance("yyyy-MM-dd")),
                value(
                        "ContextedRuntimeException",
                        () -> new ContextedRuntimeException("no").addContextValue("order", 7),
                        (ContextedRuntimeException failed) -> failed.getMessage() + failed.getContextEntries()));
    }
}
