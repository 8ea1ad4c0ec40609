package io.understudy.config;

import io.understudy.config.session.Acks;
import io.understudy.config.session.Coherence;
import io.understudy.config.session.EndEvents;
import io.understudy.config.session.LockConfig;
import io.understudy.config.session.OnDegraded;
import io.understudy.config.session.OnNotReplicable;
import io.understudy.config.session.PathPatterns;
import io.understudy.config.session.SessionDoctorMode;
import io.understudy.config.session.VersionCookieConfig;
import java.time.Duration;
import java.util.Map;
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
        Map<Setting, String> all = ApplicationSettings.asText(this);
        changed.forEach((key, value) -> {
            Setting setting = Setting.named(key);
            if (all.replace(setting, value) == null) {
                throw new ConfigException("setting '" + key
                        + "' belongs to the node, not to an application; an application can set "
                        + all.keySet().stream().map(Setting::key).toList());
            }
        });
        return ApplicationSettings.read(new SettingReader(all));
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
