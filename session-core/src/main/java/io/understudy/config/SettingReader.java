package io.understudy.config;

import io.understudy.config.session.PathPatterns;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads typed values out of given settings; each failure names the setting, its value and what would be valid. */
final class SettingReader {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h)");

    private static final Pattern HEAP = Pattern.compile("(\\d{1,12})\\s*([kmg%]?)");

    private final Map<Setting, String> given;

    SettingReader(Map<Setting, String> given) {
        this.given = given;
    }

    boolean given(Setting setting) {
        return given.containsKey(setting);
    }

    String text(Setting setting) {
        return given.getOrDefault(setting, setting.defaultValue()).trim();
    }

    String nonEmpty(Setting setting) {
        String text = text(setting);
        if (text.isEmpty()) {
            throw malformed(setting, "must not be empty", setting.defaultValue());
        }
        return text;
    }

    int number(Setting setting, int min, int max) {
        int value;
        try {
            value = Integer.parseInt(text(setting));
        } catch (NumberFormatException e) {
            throw malformed(setting, "must be a whole number from " + min + " to " + max, setting.defaultValue());
        }
        if (value < min || value > max) {
            throw malformed(setting, "must be from " + min + " to " + max, String.valueOf(value < min ? min : max));
        }
        return value;
    }

    /** Bytes, or a share of the maximum heap. */
    long heap(Setting setting, long min) {
        Matcher matcher = HEAP.matcher(text(setting).toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw malformed(setting, "must be bytes such as 536870912, 512m or 2g, or a share such as 40%", "40%");
        }
        long amount = Long.parseLong(matcher.group(1));
        long maxHeap = Runtime.getRuntime().maxMemory();
        long bytes = switch (matcher.group(2)) {
            case "%" -> maxHeap / 100 * amount;
            case "k" -> amount << 10;
            case "m" -> amount << 20;
            case "g" -> amount << 30;
            default -> amount;
        };
        if (bytes < min || bytes > maxHeap) {
            throw malformed(setting, "must be from " + min + " to " + maxHeap + " bytes, the maximum heap", "40%");
        }
        return bytes;
    }

    <E extends Enum<E>> E choice(Setting setting, Class<E> type) {
        String text = text(setting);
        String[] names = Arrays.stream(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
        for (int i = 0; i < names.length; i++) {
            if (names[i].equalsIgnoreCase(text)) {
                return type.getEnumConstants()[i];
            }
        }
        throw malformed(setting, "must be one of " + Arrays.toString(names), DidYouMean.to(text, names));
    }

    /** A path, or nothing. Whether something is there is for those to say who use it. */
    String path(Setting setting, String valid) {
        String text = text(setting);
        try {
            Path unused = Path.of(text);
            return text;
        } catch (InvalidPathException e) {
            throw malformed(setting, "must be a path (" + e.getMessage() + ")", valid);
        }
    }

    PathPatterns paths(Setting setting) {
        try {
            return PathPatterns.parse(text(setting));
        } catch (IllegalArgumentException e) {
            throw malformed(setting, "must be path patterns separated by commas (" + e.getMessage() + ")", "/path/*");
        }
    }

    Duration duration(Setting setting, Duration min) {
        return duration(setting, text(setting), min);
    }

    Duration duration(Setting setting, String text, Duration min) {
        Duration value = parse(text);
        if (value == null) {
            throw malformed(setting, "must be a duration such as 500ms, 7s, 2m or 1h", setting.defaultValue());
        }
        if (value.compareTo(min) < 0) {
            throw malformed(setting, "must be at least " + min.toMillis() + "ms", min.toMillis() + "ms");
        }
        return value;
    }

    private static @Nullable Duration parse(String text) {
        Matcher matcher = DURATION.matcher(text.toLowerCase(Locale.ROOT));
        if (matcher.matches()) {
            long amount = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                default -> Duration.ofHours(amount);
            };
        }
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    ConfigException malformed(Setting setting, String rule, String valid) {
        return new ConfigException("setting '" + setting.key() + "' " + rule + ", was '" + text(setting)
                + "'; the nearest valid value is '" + valid + "'");
    }
}
