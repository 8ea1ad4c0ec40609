package io.understudy.store;

import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import java.util.Map;

/** Sessions with one attribute, by number. */
final class Carts {

    static final String NAME = "cart";

    private Carts() {}

    /** Keys that are spread as random ones are. */
    static SessionKey key(int session) {
        return new SessionKey(0x9E3779B97F4A7C15L * (session + 1));
    }

    static SessionDelta begun(int session, Stamp stamp, byte[] value) {
        return SessionDelta.join(
                SessionDelta.created(key(session), stamp, "id-" + session, 1800), written(session, stamp, value));
    }

    static SessionDelta written(int session, Stamp stamp, byte[] value) {
        return new SessionDelta(
                key(session), false, null, null, stamp, Map.of(NAME, StampedBytes.of(stamp, value)), null);
    }
}
