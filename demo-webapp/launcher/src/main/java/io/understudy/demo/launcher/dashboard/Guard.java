package io.understudy.demo.launcher.dashboard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests may use the dashboard. It listens on loopback only, so these are the ways left for a web page elsewhere to reach it
 * through the user's own browser:
 *
 * <ul>
 *   <li>a form or script of another site: it does not know the token, and its {@code Origin} is another;
 *   <li>DNS rebinding, a foreign host name that now resolves to 127.0.0.1: the {@code Host} is that name.
 * </ul>
 *
 * <p>Threads: any.
 */
public final class Guard {

    /** The header that bears the token. */
    static final String HEADER = "X-Understudy-Token";

    private static final int TOKEN_BYTES = 16;

    private static final Pattern LOOPBACK = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");

    private final String token;

    public Guard() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        token = HexFormat.of().formatHex(random);
    }

    /** Random, for this start of the launcher. */
    public String token() {
        return token;
    }

    /** Why a request may not even look, or {@code null} if it may. */
    @Nullable
    String refuseToShow(@Nullable String host) {
        if (host == null || !LOOPBACK.matcher(host).matches()) {
            return "the dashboard is served as localhost or 127.0.0.1 only, not as '" + host + "'";
        }
        return null;
    }

    /** Why a request may not change anything, or {@code null} if it may. */
    @Nullable
    String refuseToAct(@Nullable String host, @Nullable String origin, @Nullable String given) {
        String hidden = refuseToShow(host);
        if (hidden != null) {
            return hidden;
        }
        if (origin != null && !origin.equals("http://" + host)) {
            return "requests from pages of '" + origin + "' are refused";
        }
        if (given == null || !MessageDigest.isEqual(bytes(given), bytes(token))) {
            return "header " + HEADER + " must hold the token that the launcher printed";
        }
        return null;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
