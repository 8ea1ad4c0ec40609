package io.understudy.config;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a node rehearses to take over the sessions of other members.
 *
 * @param percent what that may cost of one processor, on average; 0 is not at all
 */
public record RehearsalConfig(double percent) {

    private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(\\.\\d{1,3})?)\\s*%");
    private static final String OFF = "off";
    private static final double MOST = 100;

    static RehearsalConfig read(SettingReader read) {
        String text = read.text(Setting.TAKE_OVER_REHEARSAL).toLowerCase(Locale.ROOT);
        if (text.equals(OFF)) {
            return new RehearsalConfig(0);
        }
        Matcher matcher = SHARE.matcher(text);
        double percent = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
        if (percent <= 0 || percent > MOST) {
            throw read.malformed(
                    Setting.TAKE_OVER_REHEARSAL,
                    "must be 'off', or a share of a processor up to 100% such as 0.5%",
                    Setting.TAKE_OVER_REHEARSAL.defaultValue());
        }
        return new RehearsalConfig(percent);
    }

    /** What {@link #read} reads. */
    Map<Setting, String> asText() {
        return Map.of(Setting.TAKE_OVER_REHEARSAL, percent == 0 ? OFF : percent + "%");
    }
}
