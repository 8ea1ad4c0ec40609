package io.understudy.testkit.history;

import io.understudy.testkit.history.Write.Kind;
import io.understudy.testkit.history.Write.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Compares a history with what the members hold. One use. */
final class Judge {

    /**
     * Stamps tell milliseconds of one clock apart; writes of different nodes that are no further from each other, in
     * nanoseconds, may win in either order.
     */
    private static final long SLACK = 2_000_000;

    private static final int EXAMPLES = 20;

    private final History history;
    private final Promise promise;
    private final List<String> examples = new ArrayList<>();
    private final Set<Verdict.Loss> losses = new HashSet<>();
    private int lostAttributes;
    private int lostSessions;
    private int resurrected;
    private int unequal;
    private int unexplained;
    private int staleReads;
    private int lostUnpromised;

    Judge(History history, Promise promise) {
        this.history = history;
        this.promise = promise;
    }

    Verdict judge(Map<String, Map<String, Map<String, String>>> members) {
        equal(members);
        members.forEach(this::member);
        history.reads().forEach(this::read);
        return new Verdict(
                lostAttributes,
                lostSessions,
                resurrected,
                unequal,
                unexplained,
                staleReads,
                lostUnpromised,
                Set.copyOf(losses),
                List.copyOf(examples));
    }

    private void equal(Map<String, Map<String, Map<String, String>>> members) {
        Set<String> ids = new TreeSet<>();
        members.values().forEach(sessions -> ids.addAll(sessions.keySet()));
        for (String id : ids) {
            if (members.values().stream()
                            .map(sessions -> Optional.ofNullable(sessions.get(id)))
                            .distinct()
                            .count()
                    > 1) {
                unequal++;
                example("session " + id + " is not the same on all members: " + differing(members, id));
            }
        }
    }

    /** What each member holds in the attributes that are not the same on all. */
    private static Map<String, String> differing(Map<String, Map<String, Map<String, String>>> members, String id) {
        Set<String> names = new TreeSet<>();
        members.values()
                .forEach(sessions ->
                        names.addAll(sessions.getOrDefault(id, Map.of()).keySet()));
        names.removeIf(name -> members.values().stream()
                        .map(sessions -> Optional.ofNullable(
                                sessions.getOrDefault(id, Map.of()).get(name)))
                        .distinct()
                        .count()
                == 1);
        Map<String, String> differing = new TreeMap<>();
        members.forEach((member, sessions) -> {
            Map<String, String> session = sessions.get(id);
            List<String> values = new ArrayList<>();
            if (session != null) {
                names.forEach(name -> values.add(
                        name + "=" + (session.containsKey(name) ? History.numberOf(session.get(name)) : "none")));
            }
            differing.put(member, session == null ? "absent" : values.toString());
        });
        return differing;
    }

    private void member(String member, Map<String, Map<String, String>> sessions) {
        Map<String, Map<String, String>> byName = new TreeMap<>();
        sessions.forEach((id, attributes) -> {
            String name = attributes.get(History.NAME);
            if (name == null || !history.writes().containsKey(name)) {
                unexplained++;
                example(member + " holds session " + id + " that nobody made: " + shortened(attributes.toString()));
            } else if (byName.put(name, attributes) != null) {
                unexplained++;
                example(member + " holds session " + name + " twice");
            }
        });
        history.writes().forEach((name, writes) -> session(member, name, writes, byName.get(name)));
    }

    private void session(String member, String name, Queue<Write> writes, @Nullable Map<String, String> attributes) {
        if (attributes == null) {
            sessionAbsent(member, name, writes);
            return;
        }
        if (promised(writes, Kind.INVALIDATE)) {
            resurrected++;
            example(member + " holds session " + name + " after its end: " + writesOf(writes, Kind.INVALIDATE));
            return;
        }
        Set<String> names = new TreeSet<>(attributes.keySet());
        writes.forEach(write -> names.add(write.attribute()));
        names.remove("");
        names.remove(History.NAME);
        for (String attribute : names) {
            attribute(member, name, attribute, attributes.get(attribute));
        }
    }

    private void sessionAbsent(String member, String name, Queue<Write> writes) {
        if (history.endAsked(name)) {
            return;
        }
        if (promised(writes, Kind.CREATE)) {
            lostSessions++;
            example(member + " lost session " + name);
        }
        writes.stream()
                .filter(write -> write.outcome() != Outcome.UNKNOWN)
                .forEach(write -> lost(name, write.attribute()));
    }

    private boolean promised(Queue<Write> writes, Kind kind) {
        return writes.stream().anyMatch(write -> write.kind() == kind && promise.covers(write.outcome()));
    }

    private void attribute(String member, String session, String attribute, @Nullable String value) {
        List<Write> writes = history.of(session, attribute);
        List<Write> shown = shown(writes, value);
        if (value != null && shown.isEmpty()) {
            unexplained++;
            example(member + ": " + session + "." + attribute + " has a value nobody wrote: " + shortened(value));
            return;
        }
        Write missing = missing(writes, shown, value == null, write -> promise.covers(write.outcome()));
        if (missing != null) {
            boolean back = missing.kind() == Kind.REMOVE;
            lostAttributes += back ? 0 : 1;
            resurrected += back ? 1 : 0;
            lost(session, attribute);
            example(member + ": " + session + "." + attribute + " shows " + shown + " and misses " + missing);
        } else if (missing(writes, shown, value == null, write -> write.outcome() == Outcome.DEGRADED) != null) {
            lostUnpromised++;
            lost(session, attribute);
        }
    }

    private void lost(String session, String attribute) {
        boolean removal = false;
        for (Write write : history.of(session, attribute)) {
            removal = write.outcome() == Outcome.UNKNOWN ? removal : write.kind() == Kind.REMOVE;
        }
        losses.add(new Verdict.Loss(session, attribute, removal));
    }

    private void read(History.Read read) {
        List<Write> writes = history.of(read.session(), read.attribute());
        List<Write> shown = shown(writes, read.value());
        Write missing = missing(
                writes,
                shown,
                read.value() == null,
                write -> write.outcome() == Outcome.ACKNOWLEDGED && write.ended() < read.began());
        if (missing != null && !history.endAsked(read.session())) {
            staleReads++;
            example("a read at " + read.node() + " of " + read.session() + "." + read.attribute() + " saw " + shown
                    + " and missed " + missing);
        }
    }

    /** The writes that may have left the attribute so. */
    private static List<Write> shown(List<Write> writes, @Nullable String value) {
        long number = value == null ? -1 : History.numberOf(value);
        return writes.stream()
                .filter(write -> value == null ? write.kind() == Kind.REMOVE : write.number() == number)
                .toList();
    }

    /** A write that has to be there and began after each of those that are shown had ended; null if there is none. */
    private static @Nullable Write missing(
            List<Write> writes, List<Write> shown, boolean absent, Predicate<Write> promised) {
        if (absent && shown.isEmpty()) {
            return writes.stream().filter(promised).findFirst().orElse(null);
        }
        Write missing = null;
        for (Write candidate : shown) {
            missing = writes.stream()
                    .filter(promised)
                    .filter(write -> later(write, candidate))
                    .findFirst()
                    .orElse(null);
            if (missing == null) {
                return null;
            }
        }
        return missing;
    }

    private static boolean later(Write write, Write than) {
        long slack = write.node().equals(than.node()) ? 0 : SLACK;
        return write.began() - than.ended() > slack;
    }

    private static List<Write> writesOf(Queue<Write> writes, Kind kind) {
        return writes.stream().filter(write -> write.kind() == kind).toList();
    }

    private void example(String text) {
        if (examples.size() < EXAMPLES) {
            examples.add(text);
        }
    }

    private static String shortened(String text) {
        return text.length() <= 400 ? text : text.substring(0, 400) + "...";
    }
}
