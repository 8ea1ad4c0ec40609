package io.understudy.session.failures;

import io.understudy.codec.NotReplicableException;
import io.understudy.codec.WireText;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of one application that are on this node only, as they can't be replicated. No other node could take
 * their sessions over whole.
 *
 * <p>Threads: any.
 */
public final class KeptAttributes {

    /** Most attributes that are known at once; further ones are not counted. */
    private static final int MAX_KEPT = 10_000;

    /** Most causes that are listed. */
    private static final int MAX_LINES = 100;

    /** Longest text of a cause, in characters: an exception of the application may have any. */
    private static final int MAX_TEXT = 500;

    /** Why an attribute is on this node only. */
    public enum Reason {
        /** A class is not serializable, is refused by the filter, or can't be restored elsewhere. */
        CLASS,
        TOO_LARGE,
        /** The session would be too large with it. */
        SESSION_FULL,
        /** The name can't travel. */
        NAME,
        /** Encoding it failed for another reason, or it kept changing. */
        ENCODING;

        public static Reason of(NotReplicableException refusal) {
            return refusal.tooLarge() ? TOO_LARGE : refusal.passing() ? ENCODING : CLASS;
        }

        /** The name in text metrics. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private record Place(SessionKey session, String attribute) {}

    /** @param unsent of the live session; gone with the only object of the value */
    private record Kept(WeakReference<Predicate<String>> unsent, Reason reason, String text) {}

    private final String label;
    private final Function<SessionKey, @Nullable StoredReplica> headers;
    private final Map<Place, Kept> kept = new ConcurrentHashMap<>();

    /**
     * @param label of the application on its node
     * @param headers finds sessions, without reading their attributes from disk
     */
    public KeptAttributes(String label, Function<SessionKey, @Nullable StoredReplica> headers) {
        this.label = label;
        this.headers = headers;
    }

    /**
     * A commit could not send a value.
     *
     * @param unsent whether an attribute of the live session has a value that could not be sent; it knows that by now,
     *     else the next reading would forget the value. Held weakly
     */
    public void add(SessionKey session, String attribute, Predicate<String> unsent, Reason reason, String text) {
        Place place = new Place(session, attribute);
        if (kept.size() < MAX_KEPT || kept.containsKey(place)) {
            kept.put(
                    place,
                    new Kept(
                            new WeakReference<>(unsent),
                            reason,
                            text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "..." : text));
        }
    }

    /** How many sessions have such an attribute now, for this reason. */
    public long sessions(Reason reason) {
        forgetOthers();
        return kept.entrySet().stream()
                .filter(each -> each.getValue().reason() == reason)
                .map(each -> each.getKey().session())
                .distinct()
                .count();
    }

    /** A line for each attribute and cause. */
    public List<String> lines() {
        forgetOthers();
        Map<String, Long> causes = kept.entrySet().stream()
                .collect(Collectors.groupingBy(
                        each -> "attribute '" + WireText.shown(each.getKey().attribute())
                                + "' is on this node only ("
                                + each.getValue().reason().key() + "): "
                                + each.getValue().text(),
                        TreeMap::new,
                        Collectors.counting()));
        return causes.entrySet().stream()
                .limit(MAX_LINES)
                .map(cause -> label + " - " + cause.getKey() + "; in " + cause.getValue() + " session(s)")
                .toList();
    }

    /** Forgets attributes that have a replica now or were removed, and those of sessions that are over. */
    public void forgetOthers() {
        kept.entrySet().removeIf(each -> !current(each.getKey(), each.getValue()));
    }

    private boolean current(Place place, Kept value) {
        StoredReplica header = headers.apply(place.session());
        Predicate<String> unsent = value.unsent().get();
        return header != null && header.replica().live() && unsent != null && unsent.test(place.attribute());
    }
}
