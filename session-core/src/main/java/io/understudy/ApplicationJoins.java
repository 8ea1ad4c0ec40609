package io.understudy;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.cluster.ClusterChannel;
import io.understudy.codec.GuardedCodec;
import io.understudy.codec.WireText;
import io.understudy.codec.classes.ClassList;
import io.understudy.config.ApplicationConfig;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.SessionDoctorMode;
import io.understudy.doctor.SessionDoctor;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.rehearsal.RehearsedApplication;
import io.understudy.rehearsal.TakeOverRehearsal;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.TimeSource;
import io.understudy.session.ReplicatedSessions;
import io.understudy.session.attributes.ApplicationAttributes;
import io.understudy.session.failures.KeptAttributes;
import io.understudy.session.failures.Quarantine;
import io.understudy.session.requests.RequestsInFlight;
import io.understudy.session.requests.WaitLimit;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Joins applications on a node. What each join has of its own is known until the join is closed.
 *
 * <p>Threads: any.
 */
final class ApplicationJoins {

    private final UnderstudyConfig config;
    private final ClusterChannel channel;
    private final Applications applications;
    private final TimeSource time;
    private final ReplicationMetrics metrics;
    private final RequestsInFlight requests;
    private final WaitLimit waits;
    private final @Nullable TakeOverRehearsal rehearsal;

    /** Of each join of an application, until it is closed. */
    private final Set<ApplicationAttributes> attributes = ConcurrentHashMap.newKeySet();

    /**
     * @param waits how many requests of the node may wait at once
     * @param rehearsal {@code null} if it is off
     */
    ApplicationJoins(
            UnderstudyConfig config,
            ClusterChannel channel,
            Applications applications,
            TimeSource time,
            ReplicationMetrics metrics,
            RequestsInFlight requests,
            WaitLimit waits,
            @Nullable TakeOverRehearsal rehearsal) {
        this.config = config;
        this.channel = channel;
        this.applications = applications;
        this.time = time;
        this.metrics = metrics;
        this.requests = requests;
        this.waits = waits;
        this.rehearsal = rehearsal;
    }

    /** Of each join of an application that is not closed: what comes and goes later is seen, too. */
    Set<ApplicationAttributes> attributes() {
        return attributes;
    }

    /** See {@link Understudy#join(String, Supplier, ApplicationConfig, Set)}. */
    ReplicatedSessions join(
            String name, Supplier<ClassLoader> loader, ApplicationConfig settings, Set<String> containerClasses) {
        WireText.require("the name of an application", name);
        ClassList list = AttributeClassListLoader.open(settings.attributeClasses(), name + "@" + config.nodeName());
        GuardedCodec codec = new GuardedCodec(
                loader, containerClasses, settings.attributeFilter(), list, config.maxAttributeBytes());
        boolean joined = false;
        try {
            ReplicatedSessions sessions = join(name, loader, settings, codec);
            joined = true;
            return sessions;
        } finally {
            if (!joined) {
                codec.close();
            }
        }
    }

    /** Whatever fails after the node has joined: an application that was never deployed is not to count as a user. */
    private ReplicatedSessions join(
            String name, Supplier<ClassLoader> loader, ApplicationConfig settings, GuardedCodec codec) {
        ApplicationGroup group = applications.join(name, settings);
        boolean joined = false;
        try {
            ReplicatedSessions sessions = join(group, name, loader, settings, codec);
            joined = true;
            return sessions;
        } finally {
            if (!joined) {
                applications.leave(name, settings);
            }
        }
    }

    private ReplicatedSessions join(
            ApplicationGroup group,
            String name,
            Supplier<ClassLoader> loader,
            ApplicationConfig settings,
            GuardedCodec codec) {
        ClassLoader application = Objects.requireNonNull(
                loader.get(),
                () -> group.label()
                        + " - the class loader of the application is null: expected that of its classes, for "
                        + "example Thread.currentThread().getContextClassLoader() while the container starts it");
        DuplicateClassesCheck.warn(group.label(), application);
        Quarantine quarantine = new Quarantine(group.label(), metrics, group.store()::header);
        SessionDoctor doctor = settings.sessionDoctor() == SessionDoctorMode.OFF
                ? null
                : new SessionDoctor(
                        group.label(),
                        codec,
                        loader,
                        config.maxAttributeBytes(),
                        config.memory().maxSessionBytes());
        KeptAttributes kept = new KeptAttributes(
                group.label(),
                group.store()::header,
                time,
                session -> LoneApplications.note(group, session, time, config));
        RehearsedApplication rehearsed = rehearsal == null ? null : rehearsed(group, codec, loader);
        ApplicationAttributes care = new ApplicationAttributes(codec, quarantine, kept, doctor, rehearsed);
        boolean known = false;
        try {
            attributes.add(care);
            if (rehearsal != null && rehearsed != null) {
                rehearsal.add(rehearsed);
            }
            ReplicatedSessions sessions = new ReplicatedSessions(
                    config.with(settings),
                    channel,
                    group,
                    metrics,
                    time,
                    care,
                    requests,
                    waits,
                    applications.servers(),
                    () -> {
                        try {
                            forget(care);
                        } finally {
                            applications.leave(name, settings);
                        }
                    });
            known = true;
            return sessions;
        } finally {
            if (!known) {
                forget(care);
            }
        }
    }

    private void forget(ApplicationAttributes care) {
        RehearsedApplication rehearsed = care.rehearsed();
        attributes.remove(care);
        if (rehearsal != null && rehearsed != null) {
            rehearsal.remove(rehearsed);
        }
    }

    private static RehearsedApplication rehearsed(
            ApplicationGroup group, GuardedCodec codec, Supplier<ClassLoader> loader) {
        return new RehearsedApplication(
                group.label(),
                group::ready,
                codec.apart(),
                loader,
                group.store(),
                group.expiry().audit(),
                replica -> !group.ownedHere(replica),
                attribute -> attribute.startsWith(SessionReplica.CONTAINER));
    }
}
