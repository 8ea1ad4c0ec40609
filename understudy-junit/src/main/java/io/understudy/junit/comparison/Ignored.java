package io.understudy.junit.comparison;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What may differ, by the test's word.
 *
 * @param places in attributes
 * @param texts in bodies and headers of responses
 */
public record Ignored(List<String> places, List<Pattern> texts) {

    static final Ignored NOTHING = new Ignored(List.of(), List.of());

    private static final String MASK = "<ignored>";

    /**
     * What a test names.
     *
     * @param texts regular expressions
     * @throws IllegalArgumentException if an expression is none
     */
    public static Ignored of(List<String> places, List<String> texts) {
        List<Pattern> patterns = new ArrayList<>();
        for (String text : texts) {
            try {
                patterns.add(Pattern.compile(text));
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException(
                        "'ignoreInResponses' of @FailoverTest has '" + text
                                + "': expected a regular expression of java.util.regex; " + e.getDescription()
                                + " at index " + e.getIndex(),
                        e);
            }
        }
        return new Ignored(places, patterns);
    }

    /** The text with one mark for each part that may differ. */
    String masked(String text) {
        String masked = text;
        for (Pattern each : texts) {
            masked = each.matcher(masked).replaceAll(MASK);
        }
        return masked;
    }
}
