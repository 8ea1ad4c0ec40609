package io.understudy.junit.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The body of a response, as words: to be compared but for those that differ each time. */
final class Body {

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_+/.:%-]+|\\s+|.", Pattern.DOTALL);

    /** Words that are shown before the first that differs, and after it. */
    private static final int BEFORE = 8;

    private static final int AFTER = 16;
    private static final int MAX_CHARACTERS = 160;

    /** The two texts at the first difference, each with some words around it. */
    record Difference(String expected, String actual) {}

    private final List<String> words;

    Body(String text) {
        words = WORD.matcher(Moments.masked(text))
                .results()
                .map(MatchResult::group)
                .toList();
    }

    /**
     * The first difference from what was expected.
     *
     * @param again the same response in another run of the same: where it has other words, any are expected
     */
    Optional<Difference> from(Body expected, Body again) {
        return expected.words.size() == again.words.size() ? byPlace(expected, again) : byEnds(expected, again);
    }

    private Optional<Difference> byPlace(Body expected, Body again) {
        int most = Math.max(words.size(), expected.words.size());
        for (int at = 0; at < most; at++) {
            boolean both = at < words.size() && at < expected.words.size();
            boolean any = at < expected.words.size() && !expected.words.get(at).equals(again.words.get(at));
            if (!both || (!any && !words.get(at).equals(expected.words.get(at)))) {
                return Optional.of(new Difference(expected.around(at), around(at)));
            }
        }
        return Optional.empty();
    }

    /** Where texts differ in length each time, the words before and after that are expected. */
    private Optional<Difference> byEnds(Body expected, Body again) {
        int shorter = Math.min(expected.words.size(), again.words.size());
        int begin = common(expected.words, again.words, shorter);
        int end = common(reversed(expected.words), reversed(again.words), shorter - begin);
        int same = common(expected.words, words, begin);
        if (same < begin) {
            return Optional.of(new Difference(expected.around(same), around(same)));
        }
        int sameAtEnd = common(reversed(expected.words), reversed(words), end);
        if (sameAtEnd < end) {
            return Optional.of(new Difference(
                    expected.around(expected.words.size() - sameAtEnd - 1), around(words.size() - sameAtEnd - 1)));
        }
        return Optional.empty();
    }

    private static int common(List<String> one, List<String> other, int most) {
        int same = 0;
        while (same < Math.min(most, other.size()) && one.get(same).equals(other.get(same))) {
            same++;
        }
        return same;
    }

    private static List<String> reversed(List<String> words) {
        List<String> reversed = new ArrayList<>();
        for (int at = words.size() - 1; at >= 0; at--) {
            reversed.add(words.get(at));
        }
        return reversed;
    }

    private String around(int at) {
        int begin = Math.max(0, Math.min(at, words.size()) - BEFORE);
        int end = Math.min(words.size(), Math.max(0, at) + AFTER);
        String text = String.join("", words.subList(begin, end)).replaceAll("\\s+", " ");
        String shown = text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS);
        return (begin == 0 ? "'" : "'...") + shown + (end == words.size() ? "'" : "...'");
    }
}
