package io.understudy.codec;

import io.understudy.codec.Containers.Agreement;
import io.understudy.codec.Containers.Kind;
import io.understudy.codec.Containers.Promise;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A value with numbers in it that threads change, while it is encoded.
 *
 * @param agreement of the threads
 * @param add adds numbers in one call
 * @param remove removes them in one call
 * @param numbers of what was decoded, in order; fails if that is not as its class promises
 */
record Changing(
        String name,
        Promise promise,
        Agreement agreement,
        Object value,
        Consumer<List<Integer>> add,
        Consumer<List<Integer>> remove,
        Function<Object, List<Integer>> numbers) {

    /** Numbers that no thread changes: what is cut off at the end shows, too. */
    private static final List<Integer> STAY = List.of(0, 1, 8, 9);

    /** The first of two numbers that a thread changes. */
    static final List<Integer> PAIRS = List.of(2, 4, 6);

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
                        Stream.of(text(), text().inStream(), buffer(), buffer().inStream()),
                        Stream.of(bits(), bits().inStream()))
                .flatMap(each -> each);
    }

    private static Changing of(Kind kind) {
        FilledContainer filled = kind.fill(NUMBERS, number -> number);
        boolean together = kind.agreement() == Agreement.TOGETHER;
        return new Changing(
                kind.name(),
                kind.promise(),
                kind.agreement(),
                filled.value(),
                together ? filled::addTogether : numbers -> numbers.forEach(each -> filled.add(each, each)),
                together ? filled::removeTogether : numbers -> numbers.forEach(filled::remove),
                kind::numbers);
    }

    /** Kryo leaves a value with a locale to JDK serialization. */
    private Changing inStream() {
        return new Changing(
                name + " in a stream",
                promise,
                agreement,
                new Object[] {Locale.ROOT, value},
                add,
                remove,
                decoded -> numbers.apply(((Object[]) decoded)[1]));
    }

    /** The same, but nothing is promised of the moment. */
    Changing readable() {
        return new Changing(name, Promise.READABLE, agreement, value, add, remove, numbers);
    }

    /** A text that has as many letters of each number as it has numbers. */
    private static Changing text() {
        StringBuilder text = new StringBuilder("0123456789");
        return new Changing(
                "StringBuilder",
                Promise.EXACT,
                Agreement.NEEDED,
                text,
                numbers -> text.append(letters(numbers)),
                numbers -> text.delete(text.indexOf(letters(numbers)), text.indexOf(letters(numbers)) + numbers.size()),
                Changing::numbersOf);
    }

    @SuppressWarnings("JdkObsolete") // Sessions hold them.
    private static Changing buffer() {
        StringBuffer text = new StringBuffer("0123456789");
        return new Changing(
                "StringBuffer",
                Promise.EXACT,
                Agreement.TOGETHER,
                text,
                numbers -> text.append(letters(numbers)),
                numbers -> {
                    synchronized (text) { // Its own.
                        int at = text.indexOf(letters(numbers));
                        text.delete(at, at + numbers.size());
                    }
                },
                Changing::numbersOf);
    }

    private static String letters(List<Integer> numbers) {
        return numbers.stream().map(String::valueOf).collect(Collectors.joining());
    }

    private static List<Integer> numbersOf(Object text) {
        return text.toString().chars().map(each -> each - '0').sorted().boxed().toList();
    }

    private static Changing bits() {
        BitSet bits = new BitSet();
        bits.set(0, NUMBERS);
        return new Changing(
                "BitSet",
                Promise.EXACT,
                Agreement.NEEDED,
                bits,
                numbers -> numbers.forEach(bits::set),
                numbers -> numbers.forEach(bits::clear),
                decoded -> ((BitSet) decoded).stream().boxed().toList());
    }

    /** What is wrong with a decoded value; empty if nothing is. */
    String complaint(Object decoded) {
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
        for (int number : STAY) {
            if (Collections.frequency(found, number) != 1) {
                return "number " + number + " is always there once; found " + found;
            }
        }
        if (promise == Promise.EXACT) {
            for (int number : PAIRS) {
                int first = Collections.frequency(found, number);
                int second = Collections.frequency(found, number + 1);
                if (agreement == Agreement.TOGETHER ? first != second || first > 1 : first + second == 0) {
                    return "numbers " + number + " and " + (number + 1)
                            + (agreement == Agreement.TOGETHER ? " are there both or not" : ", one is always there")
                            + "; found " + found;
                }
            }
        }
        return "";
    }

    @Override
    public String toString() {
        return name;
    }
}
