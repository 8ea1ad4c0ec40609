package io.understudy.rehearsal;

import java.util.regex.Pattern;

/**
 * What failures have in common that one log line stands for: their reason, and the attribute and text without what
 * differs from session to session. Lost fields make one cause for each class that lacks them, in any attribute.
 */
record RehearsalCause(RehearsalReason reason, String attribute, String text) {

    /** Numbers, addresses and identifiers; no numbers that belong to a class's name. */
    private static final Pattern VARYING = Pattern.compile(
            "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|@\\p{XDigit}+|(?<![\\w$.])[0-9]+(?!\\w)");

    /** In an attribute's name each word that has a digit, as identifiers of windows and conversations. */
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z]*[0-9][A-Za-z0-9]*");

    static RehearsalCause of(RehearsalFailure failure) {
        if (failure.reason() == RehearsalReason.FIELDS_LOST) {
            String field = failure.text().replaceFirst(",.*", "");
            return new RehearsalCause(failure.reason(), "", field.substring(0, field.lastIndexOf('.')));
        }
        return new RehearsalCause(
                failure.reason(),
                IDENTIFIER.matcher(failure.attribute()).replaceAll("#"),
                VARYING.matcher(failure.text()).replaceAll("#"));
    }
}
