package io.understudy.cluster;

import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.restart.OrderlyLeave;
import io.understudy.wire.Frame.Membership;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * This node's applications, as they come and go.
 *
 * <p>Threads: any.
 */
final class ApplicationGroups {

    private final Map<Long, ApplicationGroup> present = new ConcurrentHashMap<>();

    /** Whose sessions could be lost with this member when it said goodbye, until all others have heard that. */
    private final Map<Long, ApplicationGroup> leaving = new ConcurrentHashMap<>();

    /**
     * Adds one that begins now. Whatever is thrown, it is closed then, and is not here.
     *
     * @throws IllegalStateException if one with the same name is here
     */
    ApplicationGroup add(ApplicationGroup group, Consumer<ApplicationGroup> begin) {
        boolean begun = false;
        try {
            if (present.putIfAbsent(group.number(), group) != null) {
                throw new IllegalStateException(
                        group.label() + " - this node already has an application with this name");
            }
            begin.accept(group);
            begun = true;
            return group;
        } finally {
            if (!begun) {
                group.close();
            }
        }
    }

    @Nullable
    ApplicationGroup get(long application) {
        return present.get(application);
    }

    /** The application, also if this member says goodbye to it, and not all others know that yet. */
    @Nullable
    ApplicationGroup held(long application) {
        ApplicationGroup here = present.get(application);
        return here == null ? leaving.get(application) : here;
    }

    /** Whether this member has the application, and does not stop. */
    boolean has(long application) {
        return present.containsKey(application);
    }

    /** Whether this member holds all sessions of the application, and does not stop. */
    boolean holds(long application) {
        ApplicationGroup group = present.get(application);
        return group != null && group.ready();
    }

    /** Those that are here: what comes and goes later is seen, too. */
    Collection<ApplicationGroup> present() {
        return Collections.unmodifiableCollection(present.values());
    }

    /** Those that are here now. */
    List<LocalApplication> applications() {
        return present.values().stream().map(ApplicationGroup::application).toList();
    }

    /** What this member announces of them. */
    List<Membership> memberships() {
        return present.values().stream().map(ApplicationGroup::membership).toList();
    }

    /** Before the goodbye: this member still answers for an application that it held all sessions of. */
    void leave(ApplicationGroup group) {
        if (group.keeps()) {
            leaving.put(group.number(), group);
        }
        present.remove(group.number(), group);
    }

    /** All others have heard the goodbye, or are not waited for any more. */
    void left(ApplicationGroup group) {
        leaving.remove(group.number(), group);
    }

    /** Before {@link #leaveAll}: this member still answers for those that it held all sessions of. */
    void holdAll() {
        for (ApplicationGroup group : present.values()) {
            if (group.keeps()) {
                leaving.put(group.number(), group);
            }
        }
    }

    /** Before the goodbye to all of them. */
    void leaveAll() {
        present.clear();
    }

    /** Those that this member said goodbye to, whose sessions could be lost with it. */
    List<OrderlyLeave.Stopping> stopping() {
        return leaving.values().stream().map(ApplicationGroup::stopping).toList();
    }
}
