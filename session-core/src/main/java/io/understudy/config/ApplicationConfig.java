package io.understudy.config;

import java.io.ObjectInputFilter;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings that each application of a node may have its own of. Each component is described by its {@link Setting}.
 *
 * @param degradedHeader empty is none
 */
public record ApplicationConfig(
        Coherence coherence,
        Acks acks,
        PathPatterns coherentPaths,
        PathPatterns incoherentPaths,
        Duration ackTimeout,
        OnDegraded onDegraded,
        String degradedHeader,
        String attributeFilter,
        AttributeClasses attributeClasses,
        LockConfig lock,
        VersionCookieConfig versionCookie,
        OnNotReplicable onNotReplicable,
        EndEvents endEvents,
        SessionDoctorMode sessionDoctor) {

    /** What the name of a header or of a cookie may consist of (RFC 9110, token), or nothing. */
    static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]*");

    static ApplicationConfig read(SettingReader read) {
        return new ApplicationConfig(
                read.choice(Setting.COHERENCE, Coherence.class),
                read.choice(Setting.ACKS, Acks.class),
                read.paths(Setting.COHERENT_PATHS),
                read.paths(Setting.INCOHERENT_PATHS),
                read.duration(Setting.ACK_TIMEOUT, Duration.ofMillis(1)),
                read.choice(Setting.ON_DEGRADED, OnDegraded.class),
                header(read),
                filter(read),
                AttributeClasses.read(read),
                LockConfig.read(read),
                VersionCookieConfig.read(read),
                read.choice(Setting.ON_NOT_REPLICABLE, OnNotReplicable.class),
                read.choice(Setting.END_EVENTS, EndEvents.class),
                read.choice(Setting.SESSION_DOCTOR, SessionDoctorMode.class));
    }

    private static String header(SettingReader read) {
        String name = read.text(Setting.DEGRADED_HEADER);
        if (!NAME.matcher(name).matches()) {
            throw read.malformed(Setting.DEGRADED_HEADER, "must be the name of a header", "Understudy-Degraded");
        }
        return name;
    }

    private static String filter(SettingReader read) {
        String patterns = read.text(Setting.ATTRIBUTE_FILTER);
        try {
            ObjectInputFilter.Config.createFilter(patterns);
        } catch (IllegalArgumentException e) {
            throw read.malformed(
                    Setting.ATTRIBUTE_FILTER, "must be patterns of classes (" + e.getMessage() + ")", "com.acme.**");
        }
        if (patterns.contains("=")) {
            throw read.malformed(
                    Setting.ATTRIBUTE_FILTER, "must not set bounds, which follow from the bytes", "com.acme.**");
        }
        return patterns;
    }

    /**
     * The same with one setting changed, as text.
     *
     * @throws ConfigException as {@link #with(Map)}
     */
    public ApplicationConfig with(String key, String value) {
        return with(Map.of(key, value));
    }

    /**
     * The same with some settings changed, as text by name.
     *
     * @throws ConfigException if there is no setting of a name, it is not one of an application, its value is malformed, or values
     *     do not go together
     */
    public ApplicationConfig with(Map<String, String> changed) {
        Map<Setting, String> all = asText();
        changed.forEach((key, value) -> {
            Setting setting = Setting.named(key);
            if (all.replace(setting, value) == null) {
                throw new ConfigException("setting '" + key
                        + "' belongs to the node, not to an application; an application can set "
                        + all.keySet().stream().map(Setting::key).toList());
            }
        });
        return read(new SettingReader(all));
    }

    /** What {@link #read} reads. */
    Map<Setting, String> asText() {
        Map<Setting, String> all = new EnumMap<>(Setting.class);
        all.put(Setting.COHERENCE, coherence.name());
        all.put(Setting.ACKS, acks.name());
        all.put(Setting.COHERENT_PATHS, coherentPaths.toString());
        all.put(Setting.INCOHERENT_PATHS, incoherentPaths.toString());
        all.put(Setting.ACK_TIMEOUT, ackTimeout.toMillis() + "ms");
        all.put(Setting.ON_DEGRADED, onDegraded.name());
        all.put(Setting.DEGRADED_HEADER, degradedHeader);
        all.put(Setting.ATTRIBUTE_FILTER, attributeFilter);
        all.put(Setting.ATTRIBUTE_CLASSES, attributeClasses.toString());
        all.put(Setting.ON_NOT_REPLICABLE, onNotReplicable.name());
        all.put(Setting.END_EVENTS, endEvents.name());
        all.put(Setting.SESSION_DOCTOR, sessionDoctor.name());
        all.putAll(lock.asText());
        all.putAll(versionCookie.asText());
        return all;
    }

    /**
     * The coherence that the settings have for a path; {@code null} if none. A path of both kinds is coherent.
     *
     * @param path inside the application, decoded, beginning with a slash
     */
    public @Nullable Coherence coherenceOf(String path) {
        if (coherentPaths.matches(path)) {
            return Coherence.COHERENT;
        }
        return incoherentPaths.matches(path) ? Coherence.INCOHERENT : null;
    }
}
