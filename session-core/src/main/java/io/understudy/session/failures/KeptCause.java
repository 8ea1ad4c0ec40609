package io.understudy.session.failures;

import io.understudy.session.failures.KeptAttributes.Reason;
import io.understudy.session.failures.KeptAttributes.Why;
import java.util.regex.Pattern;

/**
 * What attributes that stay on this node have in common if one log line stands for them: all but sizes, addresses and
 * identifiers.
 */
record KeptCause(Reason reason, String attribute, String valueClass, String text) {

    /** Not the numbers in names, such as Cart$1; but those that the JVM gives to hidden and proxy classes. */
    private static final Pattern VARYING =
            Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}|0x\\p{XDigit}+|@\\p{XDigit}+"
                    + "|(?<=Lambda\\$|Lambda/|Proxy)[0-9]+|(?<![\\p{L}\\p{N}_$])[0-9]+");

    /** In an attribute's name each word that has a digit, as identifiers of windows and conversations. */
    private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z]*[0-9][A-Za-z0-9]*");

    /** A number for a text, equal for texts that differ only in sizes, addresses and identifiers. */
    static String numberOf(String text) {
        return Integer.toHexString(VARYING.matcher(text).replaceAll("#").hashCode());
    }

    static KeptCause of(String attribute, Why why) {
        return new KeptCause(
                why.reason(),
                IDENTIFIER.matcher(attribute).replaceAll("#"),
                VARYING.matcher(why.valueClass()).replaceAll("#"),
                VARYING.matcher(why.text()).replaceAll("#"));
    }
}
