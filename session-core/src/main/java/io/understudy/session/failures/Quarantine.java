package io.understudy.session.failures;

import io.understudy.codec.NotDecodableException;
import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import io.understudy.store.StoredReplica;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one application that somebody asked for on this node and that can't be decoded here. Their bytes
 * are where all others are: this only knows which of them were reported.
 *
 * <p>Threads: any.
 */
public final class Quarantine {

    private static final Logger LOG = System.getLogger(Quarantine.class.getName());

    /** How many attributes are known of at once; more are counted when they are met, but not as held. */
    private static final int MAX_HELD = 10_000;

    /** How many causes are told. */
    private static final int MAX_CAUSES = 1000;

    private record Place(SessionKey session, String attribute) {}

    private final String label;
    private final ReplicationMetrics metrics;
    private final Function<SessionKey, @Nullable StoredReplica> headers;
    private final Map<Place, Stamp> held = new ConcurrentHashMap<>();
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /**
     * @param label of the application on its node
     * @param headers finds sessions, without reading their attributes from disk
     */
    public Quarantine(String label, ReplicationMetrics metrics, Function<SessionKey, @Nullable StoredReplica> headers) {
        this.label = label;
        this.metrics = metrics;
        this.headers = headers;
    }

    /** A value can't be decoded. It is counted once, and its cause is logged once. */
    public void add(SessionKey session, String attribute, @Nullable StampedBytes value, NotDecodableException cause) {
        Place place = new Place(session, attribute);
        if (value == null || value.stamp().equals(held.get(place))) {
            return;
        }
        metrics.count(Counter.ATTRIBUTES_NOT_DECODED);
        if (held.size() < MAX_HELD || held.containsKey(place)) {
            held.put(place, value.stamp());
        }
        if (told.size() < MAX_CAUSES && told.add(attribute + ' ' + cause.getMessage())) {
            LOG.log(
                    Level.WARNING,
                    "{0} - session {1}: attribute ''{2}'' can''t be decoded here, and reads as absent: {3}. This "
                            + "node keeps its bytes and passes them on. Deploy the same version of the application "
                            + "as on the writer, with the same attributeFilter: the next read then decodes the "
                            + "attribute. setAttribute or removeAttribute replaces it on all nodes. This is logged "
                            + "once for each cause",
                    label,
                    session,
                    attribute,
                    cause.getMessage());
        }
    }

    /** Whether this value was asked for, and could not be decoded. */
    public boolean holds(SessionKey session, String attribute, @Nullable StampedBytes value) {
        return value != null && !held.isEmpty() && value.stamp().equals(held.get(new Place(session, attribute)));
    }

    /** The attribute is decoded, or has no value. */
    public void release(SessionKey session, String attribute) {
        if (!held.isEmpty()) {
            held.remove(new Place(session, attribute));
        }
    }

    /** How many are held now; those that were replaced or removed meanwhile, or whose session is over, are forgotten. */
    public long size() {
        held.entrySet().removeIf(each -> !current(each.getKey(), each.getValue()));
        return held.size();
    }

    private boolean current(Place place, Stamp stamp) {
        StoredReplica header = headers.apply(place.session());
        if (header == null || !header.replica().live()) {
            return false;
        }
        if (header.spilled()) {
            return true; // Its attributes are not looked at for this.
        }
        StampedBytes value = header.replica().attribute(place.attribute());
        return value != null && value.bytes() != null && value.stamp().equals(stamp);
    }
}
