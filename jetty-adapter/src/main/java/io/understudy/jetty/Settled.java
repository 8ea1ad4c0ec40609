package io.understudy.jetty;

import io.understudy.config.ApplicationConfig;
import io.understudy.config.session.OnDegraded;
import io.understudy.session.Commit.Outcome;

/**
 * What became of the commits of a response.
 *
 * @param degraded whether the response is
 * @param refused whether settings want it refused
 * @param header that says so; empty is none
 */
record Settled(boolean degraded, boolean refused, String header) {

    static final Settled NOTHING = new Settled(false, false, "");

    /** Degraded, where nobody knows by which settings. */
    static final Settled FAILED = new Settled(true, false, "");

    static Settled of(Outcome outcome, ApplicationConfig settings) {
        return outcome.degraded()
                ? new Settled(
                        true,
                        // With as many acknowledgements as were asked for the response is as it was wanted.
                        outcome == Outcome.DEGRADED && settings.onDegraded() == OnDegraded.REFUSE,
                        settings.degradedHeader())
                : NOTHING;
    }

    Settled and(Settled other) {
        return new Settled(
                degraded || other.degraded, refused || other.refused, header.isEmpty() ? other.header : header);
    }
}
