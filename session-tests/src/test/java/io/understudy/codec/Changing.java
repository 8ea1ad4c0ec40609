package io.understudy.codec;

import io.understudy.codec.Containers.Filled;
import io.understudy.codec.Containers.Kind;
import io.understudy.codec.Containers.Promise;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * A value with numbers in it that threads change, while it is encoded.
 *
 * @param add adds a number
 * @param remove removes one
 * @param numbers of what was decoded, in order; fails if that is not as its class promises
 */
record Changing(
        String name,
        Promise promise,
        Object value,
        IntConsumer add,
        IntConsumer remove,
        Function<Object, List<Integer>> numbers) {

    /** How many numbers one may have. */
    private static final int NUMBERS = 10;

    /** Of all kinds, in either format; each with all numbers. */
    static Stream<Changing> values() {
        return Stream.of(
                        Containers.byKryo().map(Changing::of),
                        Containers.byKryo().map(Changing::of).map(Changing::inStream),
                        Containers.inStream().map(Changing::of),
                        Containers.locked().map(Changing::of),
                        Containers.readBack().map(Changing::of),
                        Stream.of(text(), text().inStream(), bits(), bits().inStream()))
                .flatMap(each -> each);
    }

    private static Changing of(Kind kind) {
        Filled filled = kind.fill(NUMBERS, number -> number);
        return new Changing(
                kind.name(),
                kind.promise(),
                filled.value(),
                number -> filled.add(number, number),
                filled::remove,
                kind::numbers);
    }

    /** Kryo leaves a value with a locale to JDK serialization. */
    private Changing inStream() {
        return new Changing(
                name + " in a stream",
                promise,
                new Object[] {Locale.ROOT, value},
                add,
                remove,
                decoded -> numbers.apply(((Object[]) decoded)[1]));
    }

    /** The same, but nothing is promised of the moment. */
    Changing readable() {
        return new Changing(name, Promise.READABLE, value, add, remove, numbers);
    }

    /** A text that has as many letters of each number as it has numbers. */
    private static Changing text() {
        StringBuilder text = new StringBuilder("0123456789");
        return new Changing(
                "StringBuilder",
                Promise.EXACT,
                text,
                number -> text.append(number),
                number -> text.deleteCharAt(text.indexOf(String.valueOf(number))),
                decoded -> decoded.toString()
                        .chars()
                        .map(each -> each - '0')
                        .sorted()
                        .boxed()
                        .toList());
    }

    private static Changing bits() {
        BitSet bits = new BitSet();
        bits.set(0, NUMBERS);
        return new Changing(
                "BitSet",
                Promise.EXACT,
                bits,
                bits::set,
                bits::clear,
                decoded -> ((BitSet) decoded).stream().boxed().toList());
    }

    /**
     * What is wrong with a decoded value; empty if nothing is.
     *
     * @param stay the numbers below it are always there; of those above one of two at each moment
     */
    String complaint(Object decoded, int stay) {
        List<Integer> found;
        try {
            found = new ArrayList<>(numbers.apply(decoded));
        } catch (RuntimeException | AssertionError e) {
            return e.toString();
        }
        if (promise == Promise.READABLE) {
            return "";
        }
        if (found.contains(-1)) {
            return "a null, which never was there; found " + found;
        }
        for (int number = 0; number < stay; number++) {
            if (Collections.frequency(found, number) != 1) {
                return "number " + number + " is always there once; found " + found;
            }
        }
        for (int number = stay; promise == Promise.EXACT && number < NUMBERS; number += 2) {
            if (!found.contains(number) && !found.contains(number + 1)) {
                return "number " + number + " or " + (number + 1) + " is always there; found " + found;
            }
        }
        return "";
    }

    @Override
    public String toString() {
        return name;
    }
}
