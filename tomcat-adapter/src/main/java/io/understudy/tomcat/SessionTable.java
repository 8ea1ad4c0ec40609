package io.understudy.tomcat;

import io.understudy.replica.SessionKey;
import io.understudy.session.LiveSession;
import io.understudy.tomcat.container.SessionIds;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.catalina.Session;
import org.jspecify.annotations.Nullable;

/**
 * The session objects of this node, as the map by id that {@code ManagerBase} works on.
 *
 * <p>{@link #get} answers for every session of the cluster and makes its object on demand; size and iteration are
 * about the objects made. Objects are held by session key: a session that another node renamed stays one object here.
 * The id is the replica's matter, so {@link #remove} by id does nothing; an object goes when its session is
 * {@linkplain #forget over}, or when there is {@linkplain #drop no room} for it.
 *
 * <p>Threads: any. Never waits for the network.
 */
final class SessionTable extends AbstractMap<String, Session> {

    private final UnderstudyManager manager;
    private final ConcurrentMap<SessionKey, UnderstudySession> objects = new ConcurrentHashMap<>();

    SessionTable(UnderstudyManager manager) {
        this.manager = manager;
    }

    /**
     * The session with this id, with or without a route, unless it is over or so long idle that no request may use
     * it.
     */
    @Override
    public @Nullable Session get(@Nullable Object id) {
        if (!(id instanceof String text) || !manager.isReplicating()) {
            return null;
        }
        LiveSession live = manager.replicated().find(SessionIds.bare(text));
        if (live == null || !live.valid()) {
            return null;
        }
        UnderstudySession session = objectOf(live);
        return session.usable() ? session : null;
    }

    /** The object of a session that a request may have; {@code null} if it is over by now. */
    @Nullable
    UnderstudySession current(LiveSession live) {
        UnderstudySession session = live.valid() ? objectOf(live) : null;
        return session == null || session.over() ? null : session;
    }

    @Override
    public boolean containsKey(@Nullable Object id) {
        return get(id) != null;
    }

    UnderstudySession objectOf(LiveSession live) {
        UnderstudySession present = objects.get(live.key());
        if (present != null && present.standsOn(live)) {
            return present;
        }
        UnderstudySession made =
                objects.compute(live.key(), (key, old) -> old != null && old.standsOn(live) ? old : heldOrNew(live));
        if (!live.valid()) {
            // Ended between the look-up and the insertion: nobody would take it out again.
            forget(made);
        }
        return made;
    }

    /** The object that went, if somebody holds it. */
    private UnderstudySession heldOrNew(LiveSession live) {
        if (live.objects().container() instanceof UnderstudySession held && !held.over()) {
            live.objects().container(held); // It counts again.
            return held;
        }
        return new UnderstudySession(manager, live);
    }

    /** Drops the object of a session that no request uses; {@code false} if it has what the replica has not. */
    boolean drop(LiveSession live) {
        return objects.computeIfPresent(
                        live.key(), (key, object) -> object.standsOn(live) && object.replaceable() ? null : object)
                == null;
    }

    /** Its object may have gone while a request used it. */
    void keep(UnderstudySession session) {
        if (!session.over()) {
            UnderstudySession unused = objects.putIfAbsent(session.live().key(), session);
        }
    }

    @Override
    public @Nullable Session put(String id, Session session) {
        UnderstudySession ours = (UnderstudySession) session;
        return manager.replicates(ours) ? objects.put(ours.live().key(), ours) : null;
    }

    @Override
    public @Nullable Session remove(@Nullable Object id) {
        return null;
    }

    /** It is over. */
    void forget(UnderstudySession session) {
        objects.remove(session.live().key(), session);
        session.unbindLocal();
    }

    /** Lets go of the objects of sessions that ended on other nodes. */
    void sweep() {
        for (UnderstudySession session : objects.values()) {
            if (session.over()) {
                forget(session);
            }
        }
    }

    Iterable<UnderstudySession> objects() {
        return objects.values();
    }

    @Override
    public void clear() {
        objects.clear();
    }

    @Override
    public int size() {
        return objects.size();
    }

    @Override
    public Set<Entry<String, Session>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<String, Session>> iterator() {
                return objects.values().stream()
                        .map(session -> Map.<String, Session>entry(session.getIdInternal(), session))
                        .iterator();
            }

            @Override
            public int size() {
                return objects.size();
            }
        };
    }
}
