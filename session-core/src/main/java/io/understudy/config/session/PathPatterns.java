package io.understudy.config.session;

import java.util.ArrayList;
import java.util.List;

/**
 * Paths by pattern, as a servlet mapping has them: {@code /exact}, {@code /prefix/*} (the prefix itself, and all below it),
 * {@code *.ext} (what the path's last segment ends with) and {@code /*} (every path). A path matches if any pattern does;
 * none, if there is no pattern. Two are equal if they were written with the same patterns in the same order.
 *
 * <p>Threads: any; immutable.
 *
 * @param patterns as given, without surrounding white space
 */
public record PathPatterns(List<String> patterns) {

    /** Matches no path. */
    public static final PathPatterns NONE = new PathPatterns(List.of());

    /** @throws IllegalArgumentException naming the first pattern that is none */
    public PathPatterns {
        patterns = List.copyOf(patterns);
        patterns.forEach(PathPatterns::check);
    }

    /**
     * Reads patterns separated by commas; white space around them, and empty ones, are ignored.
     *
     * @throws IllegalArgumentException naming the first pattern that is none
     */
    public static PathPatterns parse(String commaSeparated) {
        List<String> patterns = new ArrayList<>();
        for (String pattern : commaSeparated.split(",", -1)) {
            if (!pattern.isBlank()) {
                patterns.add(pattern.trim());
            }
        }
        return patterns.isEmpty() ? NONE : new PathPatterns(patterns);
    }

    private static void check(String pattern) {
        String fixed = pattern.endsWith("/*") ? pattern.substring(0, pattern.length() - 1) : pattern;
        boolean path = fixed.startsWith("/") && fixed.indexOf('*') < 0;
        boolean extension = pattern.startsWith("*.")
                && pattern.length() > 2
                && pattern.indexOf('*', 1) < 0
                && pattern.indexOf('/') < 0;
        if (!path && !extension) {
            throw new IllegalArgumentException(
                    "'" + pattern + "' is no path pattern: expected '/exact', '/prefix/*', '*.ext' or '/*'");
        }
    }

    /** Whether there is no pattern. */
    public boolean isEmpty() {
        return patterns.isEmpty();
    }

    /**
     * Whether any pattern matches.
     *
     * @param path inside the application, decoded, beginning with a slash; without query and path parameters
     */
    public boolean matches(String path) {
        for (String pattern : patterns) {
            if (matches(pattern, path)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String pattern, String path) {
        if (pattern.endsWith("/*")) {
            int prefix = pattern.length() - 2;
            return path.regionMatches(0, pattern, 0, prefix) && (path.length() == prefix || path.charAt(prefix) == '/');
        }
        if (pattern.startsWith("*.")) {
            int extension = pattern.length() - 1;
            return path.regionMatches(path.length() - extension, pattern, 1, extension);
        }
        return path.equals(pattern);
    }

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        return String.join(",", patterns);
    }
}
