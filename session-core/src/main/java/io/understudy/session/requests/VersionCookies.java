package io.understudy.session.requests;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.config.session.VersionCookieConfig;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionVersion;
import io.understudy.store.SessionWatch;
import io.understudy.store.StoredReplica;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The versions of one application's sessions, signed, as clients carry them from node to node.
 *
 * <p>A signature holds for the application, the session's id and the version together. A client without the secret can
 * only give back what a client of this session got, and so have a node wait, or not.
 *
 * <p>Threads: any.
 */
public final class VersionCookies {

    /** How a wait ended. */
    public enum Wait {
        /** All is here. */
        CURRENT,
        /** It did not come in time. */
        BEHIND,
        /** The request may not wait. */
        REFUSED
    }

    private static final String ALGORITHM = "HmacSHA256";

    /** Of the 32 bytes of the signature; RFC 2104, section 5. */
    private static final int SIGNATURE_BYTES = 16;

    /** What is under way arrives sooner, mostly; what was lost would take longer to be sent again. */
    private static final Duration UNDER_WAY = Duration.ofMillis(5);

    private final ApplicationGroup group;
    private final ReplicationMetrics metrics;
    private final VersionCookieConfig config;
    private final String name;

    /** @param origin of this start of this node */
    public VersionCookies(ApplicationGroup group, ReplicationMetrics metrics, VersionCookieConfig config, long origin) {
        this.group = group;
        this.metrics = metrics;
        this.config = config;
        this.name = config.named(group.name(), origin);
    }

    /** Whether there are any. */
    public boolean on() {
        return config.on();
    }

    /** The name of the cookie. */
    public String name() {
        return name;
    }

    /**
     * The cookie's value for a client that has seen all that this node has of the session.
     *
     * @param valid whether the session is neither invalidated nor expired
     */
    public String value(SessionKey key, String id, boolean valid) {
        StoredReplica stored = valid ? group.store().find(id) : null;
        byte[] version =
                SessionVersion.of(key, stored == null ? null : stored.replica()).encoded();
        byte[] signature = signature(id, version);
        byte[] cookie = Arrays.copyOf(version, version.length + SIGNATURE_BYTES);
        System.arraycopy(signature, 0, cookie, version.length, SIGNATURE_BYTES);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(cookie);
    }

    /**
     * Waits until this node has the versions of the cookies, {@code versionCookieWait} at most for all of them.
     *
     * @param mayWait asked if there is something to wait for
     */
    public Wait await(String id, Collection<String> cookies, BooleanSupplier mayWait) {
        if (!config.on()) {
            return Wait.CURRENT;
        }
        Map<String, SessionVersion> missing = new HashMap<>();
        boolean behind = false;
        for (String cookie : cookies) {
            // Who sends that of a session which nobody has any more again costs no questions.
            SessionVersion version = group.unknownIds().contains(cookie) ? null : verified(id, cookie);
            if (version != null && !held(id, version)) {
                if (group.unknownIds().isLost(cookie)) {
                    behind = true;
                } else {
                    missing.put(cookie, version);
                }
            }
        }
        if (!missing.isEmpty() && !mayWait.getAsBoolean()) {
            return Wait.REFUSED;
        }
        behind |= !missing.isEmpty() && !await(id, missing);
        metrics.count(Counter.REQUESTS_BEHIND, behind ? 1 : 0);
        return behind ? Wait.BEHIND : Wait.CURRENT;
    }

    private boolean held(String id, SessionVersion version) {
        StoredReplica stored = group.store().find(id);
        return version.heldBy(stored == null ? null : stored.replica());
    }

    private boolean await(String id, Map<String, SessionVersion> wanted) {
        Collection<SessionVersion> missing = wanted.values();
        metrics.count(Counter.REQUESTS_WAITED_FOR_VERSION);
        long limit = config.longest().toNanos();
        long deadline = System.nanoTime() + limit;
        BooleanSupplier held = () -> missing.stream().allMatch(version -> held(id, version));
        try (SessionWatch watch = group.store().watch(id)) {
            if (watch.await(held, Math.min(limit, UNDER_WAY.toNanos()))) {
                return true;
            }
            boolean all = group.catchUp(id, held, deadline - System.nanoTime());
            boolean over = all
                    && group.store().header(id) == null
                    && missing.stream().allMatch(version -> version.over() == null || held(id, version));
            // Of a session that nobody has any more there is nothing to wait for, nor to ask for again soon.
            if (over) {
                wanted.keySet().forEach(group.unknownIds()::unknown);
            }
            if (over || watch.await(held, deadline - System.nanoTime())) {
                return true;
            }
            if (all) { // A client bears the cookie of a node that died for a minute, and must not wait each time.
                wanted.keySet().forEach(group.unknownIds()::lost);
            }
        }
        return false;
    }

    /** The version that a cookie tells; {@code null} if it was not given to a client of this session. */
    private @Nullable SessionVersion verified(String id, String cookie) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(cookie);
        } catch (IllegalArgumentException e) {
            return null;
        }
        if (bytes.length < SIGNATURE_BYTES) {
            return null;
        }
        int length = bytes.length - SIGNATURE_BYTES;
        byte[] version = Arrays.copyOf(bytes, length);
        byte[] signature = Arrays.copyOfRange(bytes, length, bytes.length);
        byte[] expected = Arrays.copyOf(signature(id, version), SIGNATURE_BYTES);
        return MessageDigest.isEqual(signature, expected) ? SessionVersion.decoded(version) : null;
    }

    private byte[] signature(String id, byte[] version) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(config.secret().getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update(group.name().getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            mac.update(id.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return mac.doFinal(version);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }
}
