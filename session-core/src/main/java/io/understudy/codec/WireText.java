package io.understudy.codec;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Which texts can travel: names, ids and all others go as UTF-8, in which half of a surrogate pair becomes a question mark.
 * Two names that differ here would be one, or in another order, on the other members.
 *
 * <p>Threads: any; stateless.
 */
public final class WireText {

    /** Characters of a text in a message: a log is no place for documents. */
    private static final int MAX_SHOWN = 200;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private WireText() {}

    /** Why other members would read another text; {@code null} if they read the same. */
    public static @Nullable String objection(String text) {
        int at = firstHalf(text);
        return at < 0
                ? null
                : "character " + at + " of " + text.length()
                        + " is half of a surrogate pair, which UTF-8 can't express";
    }

    /**
     * The same text.
     *
     * @param what it is, for the message
     * @throws IllegalArgumentException if other members would read another one
     */
    public static String require(String what, String text) {
        String objection = objection(text);
        if (objection != null) {
            throw new IllegalArgumentException(
                    "expected " + what + " in well-formed UTF-16, found '" + shown(text) + "': " + objection);
        }
        return text;
    }

    /** As a message shows it: without control characters and halves of pairs, which are escaped, and shortened. */
    public static String shown(String text) {
        StringBuilder shown = new StringBuilder(Math.min(text.length(), MAX_SHOWN) + 16);
        for (int at = 0; at < text.length(); at++) {
            if (shown.length() >= MAX_SHOWN) {
                return shown.append("... (")
                        .append(text.length())
                        .append(" characters)")
                        .toString();
            }
            char each = text.charAt(at);
            if (pair(text, at)) {
                shown.append(each).append(text.charAt(++at));
            } else if (readable(each)) {
                shown.append(each);
            } else {
                HEX.toHexDigits(HEX.toHexDigits(shown.append("\\u"), (byte) (each >> 8)), (byte) each);
            }
        }
        return shown.toString();
    }

    private static boolean readable(char each) {
        return switch (Character.getType(each)) {
            // FORMAT: what turns the direction of writing around, too.
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    private static boolean pair(String text, int at) {
        return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }

    private static int firstHalf(String text) {
        for (int at = 0; at < text.length(); at++) {
            if (pair(text, at)) {
                at++;
            } else if (Character.isSurrogate(text.charAt(at))) {
                return at;
            }
        }
        return -1;
    }
}
