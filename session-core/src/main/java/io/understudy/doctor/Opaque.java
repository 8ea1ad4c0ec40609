package io.understudy.doctor;

import io.understudy.codec.classes.JdkValues;
import java.security.Key;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Objects of the JDK that are not looked into: what they say of themselves is compared. */
final class Opaque {

    /** Without an equals of their own, but shown whole. */
    static final Set<String> BY_TEXT = Set.of(
            "java.lang.StringBuilder",
            "java.lang.StringBuffer",
            "java.util.concurrent.atomic.AtomicBoolean",
            "java.util.concurrent.atomic.AtomicInteger",
            "java.util.concurrent.atomic.AtomicLong",
            "java.util.regex.Pattern");

    private Opaque() {}

    /**
     * Whether the copy differs in what the JDK knows of it. Of a class of the application's that extends one of the JDK's
     * the JDK's equals is asked, if the application's own did not replace it.
     */
    static boolean differs(Object original, Object copy) {
        if (BY_TEXT.contains(original.getClass().getName())) {
            return !original.toString().equals(copy.toString());
        }
        if (original instanceof Optional
                || original instanceof Map.Entry
                || original instanceof Collection
                || original instanceof Map
                || original instanceof Object[]) {
            return false; // Their equals is that of what they hold, which has its own turn.
        }
        Class<?> asked = ObjectGraph.declaring(original.getClass(), "equals", Object.class);
        return asked != Object.class
                && asked != Record.class
                && asked != Enum.class
                && JdkValues.ofJdk(asked)
                && !original.equals(copy);
    }

    /**
     * Whether an object is a certificate or a key. A node makes one anew from its encoding, by its own security providers, whose
     * classes may be others ({@code Certificate.CertificateRep}, {@code KeyRep}): it is what its encoding is.
     */
    static boolean encoded(Object value) {
        return value instanceof Certificate || value instanceof Key;
    }

    /** The kind and a hash of the encoding; of a key that has none, as one in a device, the kind. It is no secret. */
    static String encoding(Object value) {
        byte[] bytes = null;
        String kind = "";
        if (value instanceof Certificate certificate) {
            kind = certificate.getType();
            bytes = bytes(certificate);
        } else if (value instanceof Key key) {
            kind = key.getAlgorithm();
            bytes = key.getEncoded();
        }
        return bytes == null ? kind : kind + " of " + bytes.length + " bytes, hash " + Arrays.hashCode(bytes);
    }

    private static byte @Nullable [] bytes(Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            return null;
        }
    }
}
