package io.understudy.session;

import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.Coherence;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The coherence that a request sets for itself: by the request attribute {@value #ATTRIBUTE}, or else by its path. It
 * overrides the coherence of the node and of the application.
 *
 * <p>Threads: any.
 */
public final class RequestCoherence {

    /** Request attribute, set by the application until its response ends: a {@link Coherence}, or its name as text. */
    public static final String ATTRIBUTE = "io.understudy.coherence";

    /** Request attribute, {@code true} once it is known that the response is {@linkplain Commit.Outcome degraded}. */
    public static final String DEGRADED = "io.understudy.degraded";

    private static final Logger LOG = System.getLogger(RequestCoherence.class.getName());

    /** How many different wrong values are named in warnings. */
    private static final int MAX_NAMED = 100;

    private static final Set<String> NAMED = ConcurrentHashMap.newKeySet();

    private RequestCoherence() {}

    /**
     * The coherence of the request, or {@code null} if it sets none. An attribute that is none of the values is named
     * in a warning and ignored.
     *
     * @param attribute the request's {@value #ATTRIBUTE}
     * @param path inside the application, decoded, beginning with a slash; {@code null} if the request is for another
     */
    public static @Nullable Coherence of(@Nullable Object attribute, @Nullable String path, ApplicationConfig config) {
        if (attribute != null) {
            for (Coherence coherence : Coherence.values()) {
                if (coherence == attribute || coherence.name().equalsIgnoreCase(String.valueOf(attribute))) {
                    return coherence;
                }
            }
            if (NAMED.size() < MAX_NAMED && NAMED.add(String.valueOf(attribute))) {
                LOG.log(
                        Level.WARNING,
                        "request attribute ''{0}'' is ''{1}'' and ignored: expected ''coherent'' or ''incoherent''",
                        ATTRIBUTE,
                        attribute);
            }
        }
        return path == null ? null : config.coherenceOf(path);
    }

    /**
     * The coherence for changes of threads that work for no request. They are awaited if there are version cookies: no
     * response can give the client a cookie for them.
     */
    public static @Nullable Coherence withoutRequest(ApplicationConfig config) {
        return config.versionCookie().on() ? Coherence.COHERENT : null;
    }
}
