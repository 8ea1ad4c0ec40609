package io.understudy.codec;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Tuple;

/** Texts as names and ids may be: of all characters, U+0000 too, and of lengths at which their bytes are of another form. */
public final class OddTexts {

    /** The longest name that is kept, and where a length takes another byte; and more than one datagram, or one frame, holds. */
    private static final List<Integer> LENGTHS = List.of(63, 64, 65, 127, 128, 129, 16_383, 16_384, 70_000);

    private OddTexts() {}

    /** Those that can travel. */
    public static Arbitrary<String> wellFormed() {
        return Arbitraries.frequencyOf(Tuple.of(60, pieces(Arbitraries.frequencyOf(whole()))), Tuple.of(1, lengthy()));
    }

    /** Those, and some with halves of pairs. */
    public static Arbitrary<String> any() {
        Arbitrary<String> half = Arbitraries.chars()
                .range(Character.MIN_SURROGATE, Character.MAX_SURROGATE)
                .map(String::valueOf);
        return Arbitraries.frequencyOf(
                Tuple.of(3, wellFormed()),
                Tuple.of(1, pieces(Arbitraries.frequencyOf(Tuple.of(1, half), Tuple.of(2, Arbitraries.of("a", "?"))))));
    }

    private static List<Tuple.Tuple2<Integer, Arbitrary<String>>> whole() {
        return List.of(
                Tuple.of(4, Arbitraries.chars().range('a', 'd').map(String::valueOf)),
                Tuple.of(
                        1,
                        Arbitraries.of(
                                "\0", "?", "\u007F", "\u0080", "\u07FF", "\u0800", "\uD7FF", "\uE000", "\uFFFF")),
                Tuple.of(
                        2,
                        Arbitraries.integers()
                                .between(0, Character.MIN_SURROGATE - 1)
                                .map(Character::toString)),
                Tuple.of(
                        2,
                        Arbitraries.integers()
                                .between(Character.MIN_SUPPLEMENTARY_CODE_POINT, Character.MAX_CODE_POINT)
                                .map(Character::toString)));
    }

    private static Arbitrary<String> pieces(Arbitrary<String> piece) {
        return piece.list().ofMaxSize(12).map(all -> String.join("", all));
    }

    private static Arbitrary<String> lengthy() {
        return Arbitraries.of(LENGTHS)
                .flatMap(length -> Arbitraries.of("x", "é", "中").map(letter -> letter.repeat(length)));
    }
}
