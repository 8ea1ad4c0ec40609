package io.understudy.junit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What may differ, by the test's word.
 *
 * @param places in attributes
 * @param texts in bodies and headers of responses
 */
record Ignored(List<String> places, List<Pattern> texts) {

    static final Ignored NOTHING = new Ignored(List.of(), List.of());

    private static final String MASK = "<ignored>";

    /** @throws IllegalArgumentException if a pattern is none */
    static Ignored of(FailoverTest test) {
        List<Pattern> texts = new ArrayList<>();
        for (String text : test.ignoreInResponses()) {
            try {
                texts.add(Pattern.compile(text));
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException(
                        "'ignoreInResponses' of @FailoverTest has '" + text
                                + "': expected a regular expression of java.util.regex; " + e.getDescription()
                                + " at index " + e.getIndex(),
                        e);
            }
        }
        return new Ignored(Arrays.asList(test.ignore()), texts);
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
