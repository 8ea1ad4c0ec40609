package io.understudy.benchmarks.trial;

import java.util.Arrays;
import java.util.Locale;

/** How much of an experiment is run. */
public enum Scale {
    /**
     * At least a twentieth of the counts, in a minute or two. Durations, rates and memory are not judged ({@link
     * Trial#floor}).
     */
    SMALL,
    /** The counts as promised; below 60 minutes. */
    WHOLE;

    /** As it is written in a command. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The scale of this name.
     *
     * @throws IllegalArgumentException naming the scales, if there is none
     */
    public static Scale named(String word) {
        return Arrays.stream(values())
                .filter(scale -> scale.word().equals(word))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("the scale must be 'small' or 'whole', was '" + word + "'"));
    }
}
