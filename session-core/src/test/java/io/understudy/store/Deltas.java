package io.understudy.store;

import io.understudy.replica.Renames;
import io.understudy.replica.SessionDelta;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.Stamped;
import io.understudy.replica.StampedBytes;
import java.util.List;
import java.util.Map;

/** Changes of sessions, mostly of one. */
final class Deltas {

    static final SessionKey KEY = new SessionKey(7);

    private Deltas() {}

    static SessionDelta created(SessionKey key, long time, String id) {
        return SessionDelta.created(key, new Stamp(time, 1), id, 1800);
    }

    static SessionDelta write(SessionKey key, String name, long time) {
        return new SessionDelta(
                key, false, null, null, null, Map.of(name, StampedBytes.of(new Stamp(time, 1), new byte[1])), null);
    }

    static SessionDelta whole(long time, String id) {
        Stamp stamp = new Stamp(time, 1);
        return new SessionDelta(
                KEY,
                true,
                new Stamped<>(stamp, id),
                new Stamped<>(stamp, 1800),
                stamp,
                Map.of("x", StampedBytes.of(stamp, new byte[3])),
                null);
    }

    static SessionDelta renamed(long time, String id) {
        List<Stamp> replaced = time > 1 ? List.of(new Stamp(1, 1)) : List.of();
        return new SessionDelta(
                KEY,
                false,
                new Stamped<>(new Stamp(time, 1), id),
                null,
                null,
                Map.of(),
                null,
                null,
                Renames.read(List.of(), replaced, null));
    }
}
