package io.understudy.junit.comparison;

import java.time.Duration;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Times of day in texts. Two runs a second apart may show the same minute, and a third one the next: so the time at which a
 * test runs is never a difference.
 */
final class Moments {

    private static final String MASK = "<time>";

    private static final String CLOCK = "\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?";

    /** Those of ISO 8601, of HTTP, and of {@code java.util.Date}. */
    private static final Pattern DATE_AND_TIME = Pattern.compile(
            "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?(?:\\[[\\w/+-]+])?"
                    + "|\\w{3}, \\d\\d \\w{3} \\d{4} " + CLOCK + " \\w+"
                    + "|\\w{3} \\w{3} \\d\\d " + CLOCK + " \\S+ \\d{4}");

    /** Seconds or milliseconds since the epoch, if that was today. */
    private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])(\\d{10}|\\d{13})(?![\\w.])");

    private static final int DIGITS_OF_SECONDS = 10;

    private Moments() {}

    /** The text with one mark for each moment. */
    static String masked(String text) {
        long now = System.currentTimeMillis();
        return NUMBER.matcher(DATE_AND_TIME.matcher(text).replaceAll(MASK))
                .replaceAll(number -> near(number, now) ? MASK : number.group());
    }

    private static boolean near(MatchResult number, long now) {
        long value = Long.parseLong(number.group());
        long millis = number.group().length() == DIGITS_OF_SECONDS
                ? Duration.ofSeconds(value).toMillis()
                : value;
        return Math.abs(millis - now) < Duration.ofDays(1).toMillis();
    }
}
