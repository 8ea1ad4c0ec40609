package io.understudy.session.failures;

import io.understudy.codec.NotReplicableException;
import io.understudy.codec.WireText;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.TimeSource;
import io.understudy.store.StoredReplica;
import java.lang.ref.WeakReference;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
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

    /** Most sessions that a line names. */
    private static final int MAX_SHOWN = 20;

    /** Longest text of a log line, in characters: room for the names of a hundred classes, which can be pasted. */
    private static final int MAX_LOGGED = 8000;

    /** Longest text that is kept for each attribute, in characters. */
    private static final int MAX_TEXT = 500;

    /** Room for what stands for the rest. */
    private static final int NUMBER = 20;

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

    /**
     * Why a value stays here.
     *
     * @param valueClass its name
     * @param first what the encoding failed with
     * @param text with all classes that are in the way; cut if it is long
     */
    public record Why(Reason reason, String valueClass, String first, String text) {

        public Why {
            text = text.length() > MAX_LOGGED ? text.substring(0, MAX_LOGGED) + "..." : text;
        }

        /** As it is kept for each attribute. A number stands for the rest of a long text. */
        Why shortened() {
            return text.length() <= MAX_TEXT + NUMBER // Also of one that was shortened.
                    ? this
                    : new Why(
                            reason,
                            valueClass,
                            first,
                            text.substring(0, MAX_TEXT) + "... #" + KeptCause.numberOf(text));
        }
    }

    private record Place(SessionKey session, String attribute) {}

    /** @param unsent of the live session; gone with the only object of the value */
    private record Kept(WeakReference<Predicate<String>> unsent, Why why, KeptCause cause) {}

    private final String label;
    private final Function<SessionKey, @Nullable StoredReplica> headers;
    private final TimeSource time;
    private final Consumer<SessionReplica> noted;
    private final KeptCauses causes;
    private final Map<Place, Kept> kept = new ConcurrentHashMap<>();

    /**
     * @param label of the application on its node
     * @param headers finds sessions, without reading their attributes from disk
     * @param noted notes some sessions of each cause
     */
    public KeptAttributes(
            String label,
            Function<SessionKey, @Nullable StoredReplica> headers,
            TimeSource time,
            Consumer<SessionReplica> noted) {
        this.label = label;
        this.headers = headers;
        this.time = time;
        this.noted = noted;
        this.causes = new KeptCauses(label, time.monotonicMillis());
    }

    /** Why the same value could not be sent before; {@code null} if it was another reason. */
    public @Nullable Why known(SessionKey session, String attribute, String valueClass, String first) {
        Kept before = kept.get(new Place(session, attribute));
        return before != null
                        && before.why().first().equals(first)
                        && before.why().valueClass().equals(valueClass)
                ? before.why()
                : null;
    }

    /**
     * A commit can't send a value. Its cause is logged if it begins.
     *
     * @param unsent whether an attribute of the live session has a value that could not be sent. Held weakly
     * @return counts the attribute. Run it when the live session knows that the value is unsent: before that, the next
     *     reading would forget the attribute
     */
    public Runnable found(SessionKey session, String attribute, Predicate<String> unsent, Why why) {
        Place place = new Place(session, attribute);
        Kept before = kept.get(place);
        Why shortened = why.shortened();
        KeptCause cause =
                before != null && before.why().equals(shortened) ? before.cause() : KeptCause.of(attribute, shortened);
        boolean another = before == null || !before.cause().equals(cause);
        StoredReplica header =
                causes.found(cause, attribute, why, another, time.monotonicMillis()) ? headers.apply(session) : null;
        if (header != null) {
            noted.accept(header.replica());
        }
        Kept now = new Kept(new WeakReference<>(unsent), shortened, cause);
        return () -> {
            if (kept.size() < MAX_KEPT || kept.containsKey(place)) {
                kept.put(place, now);
            }
        };
    }

    /** How many sessions have such an attribute now, for this reason. */
    public long sessions(Reason reason) {
        return sessions().getOrDefault(reason, 0L);
    }

    /** The same for each reason that has sessions. */
    public Map<Reason, Long> sessions() {
        forgetOthers();
        Map<Reason, Set<SessionKey>> sessions = new EnumMap<>(Reason.class);
        kept.forEach((place, value) -> sessions.computeIfAbsent(value.why().reason(), reason -> new HashSet<>())
                .add(place.session()));
        Map<Reason, Long> counts = new EnumMap<>(Reason.class);
        sessions.forEach((reason, keys) -> counts.put(reason, (long) keys.size()));
        return counts;
    }

    /** A line for each cause, with keys of some sessions. */
    public List<String> lines() {
        forgetOthers();
        Map<KeptCause, Set<SessionKey>> sessions = new HashMap<>();
        Map<KeptCause, String> texts = new HashMap<>();
        kept.forEach((place, value) -> {
            sessions.computeIfAbsent(value.cause(), cause -> new HashSet<>()).add(place.session());
            texts.putIfAbsent(
                    value.cause(),
                    "attribute '" + WireText.shown(place.attribute()) + "' is on this node only ("
                            + value.why().reason().key() + "): " + value.why().text());
        });
        return texts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                .limit(MAX_LINES)
                .map(each -> line(each.getValue(), sessions.getOrDefault(each.getKey(), Set.of())))
                .toList();
    }

    private String line(String text, Set<SessionKey> sessions) {
        List<SessionKey> shown = sessions.stream().sorted().limit(MAX_SHOWN).toList();
        return label + " - " + text + "; in " + sessions.size() + " session(s): " + shown
                + (shown.size() < sessions.size() ? "..." : "");
    }

    /** To be called about once in a second: logs causes that have ended, and forgets what is over. */
    public void look() {
        forgetOthers();
        Set<KeptCause> present = new HashSet<>();
        kept.values().forEach(value -> present.add(value.cause()));
        causes.look(present, kept.size() < MAX_KEPT, time.monotonicMillis());
    }

    /** Forgets attributes that have a replica now or were removed, and those of sessions that are over. */
    private void forgetOthers() {
        kept.entrySet().removeIf(each -> !current(each.getKey(), each.getValue()));
    }

    private boolean current(Place place, Kept value) {
        StoredReplica header = headers.apply(place.session());
        Predicate<String> unsent = value.unsent().get();
        return header != null && header.replica().live() && unsent != null && unsent.test(place.attribute());
    }
}
