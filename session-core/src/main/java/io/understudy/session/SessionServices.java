package io.understudy.session;

import io.understudy.config.UnderstudyConfig;
import io.understudy.doctor.SessionDoctor;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.HybridClock;
import io.understudy.replica.TimeSource;
import io.understudy.session.attributes.AttributeServices;
import io.understudy.session.expiry.EndsElsewhere;
import io.understudy.session.expiry.ExpiryCoordinator;
import io.understudy.session.replicas.SessionReplicas;
import io.understudy.session.requests.RefetchedSessions;
import io.understudy.session.requests.RequestsInFlight;
import io.understudy.session.requests.VersionCookies;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the live sessions of one application use of it.
 *
 * @param config the node's settings, with the application's own
 * @param application its name
 * @param clock stamps this node's writes
 * @param doctor examines sessions at the end of requests; {@code null} if it is off
 * @param tickets finds the request for which the calling thread works; 0 if it works for none that is known
 */
record SessionServices(
        UnderstudyConfig config,
        String application,
        TimeSource time,
        HybridClock clock,
        ReplicationMetrics metrics,
        SessionReplicas replicas,
        AttributeServices attributes,
        @Nullable SessionDoctor doctor,
        CommitOutcomes outcomes,
        RefetchedSessions refetched,
        RequestsInFlight requests,
        IdleSessions idle,
        ExpiryCoordinator<LiveSession> endings,
        EndsElsewhere<LiveSession> endsElsewhere,
        VersionCookies versions,
        ToLongFunction<LiveSession> tickets) {}
