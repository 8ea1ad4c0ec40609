package io.understudy.session;

import io.understudy.cluster.ApplicationGroup;
import io.understudy.session.expiry.ExpiryCoordinator;
import io.understudy.session.requests.LookUps;
import io.understudy.session.requests.RefetchedSessions;
import io.understudy.session.requests.VersionCookies;
import io.understudy.session.requests.WaitLimit;
import io.understudy.store.StoredReplica;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Requests that arrive with the id of a session: they wait until this node knows of the session what they need.
 *
 * <p>Threads: any.
 */
final class ArrivingRequests {

    private final ApplicationGroup group;
    private final WaitLimit waits;
    private final LookUps lookUps;
    private final RefetchedSessions refetched;
    private final VersionCookies versions;
    private final ExpiryCoordinator<LiveSession> endings;

    ArrivingRequests(
            ApplicationGroup group,
            WaitLimit waits,
            LookUps lookUps,
            RefetchedSessions refetched,
            VersionCookies versions,
            ExpiryCoordinator<LiveSession> endings) {
        this.group = group;
        this.waits = waits;
        this.lookUps = lookUps;
        this.refetched = refetched;
        this.versions = versions;
        this.endings = endings;
    }

    /** A session that a request may have without waiting; {@code null} if that is not known. */
    @Nullable
    StoredReplica atOnce(String id) {
        StoredReplica here = versions.on() ? null : lookUps.atOnce(id);
        return here != null && endings.arrives(here, () -> false) ? here : null;
    }

    /** See {@link ReplicatedSessions#admit(String, Collection)}. */
    Admission admit(String id, Collection<String> borne) {
        try (WaitLimit.Turn turn = waits.turn()) {
            StoredReplica here = versions.on() ? null : lookUps.atOnce(id);
            if (here != null) {
                return endings.arrives(here, turn::mayWait) ? Admission.PROCEED : Admission.UNAVAILABLE;
            }
            if (!lookUps.present(id, turn) || !refetched.readable(id, turn::mayWait)) {
                return Admission.UNAVAILABLE;
            }
            Admission arrival = switch (versions.await(id, borne, turn::mayWait)) {
                case CURRENT -> Admission.PROCEED;
                case BEHIND -> Admission.BEHIND;
                case REFUSED -> Admission.UNAVAILABLE;
            };
            StoredReplica stored = group.store().header(id);
            return stored == null || arrival == Admission.UNAVAILABLE || endings.arrives(stored, turn::mayWait)
                    ? arrival
                    : Admission.UNAVAILABLE;
        }
    }
}
