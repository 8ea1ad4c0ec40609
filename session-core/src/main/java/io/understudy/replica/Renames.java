package io.understudy.replica;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What became of a session's ids beside the current one. A rename replaces every id its node knew. If two renames are
 * concurrent, neither replaced the other, so the lower one is a <em>rival</em>: its holder may go on using it until a
 * response gives it the current id. The id a session was created with is never a rival, as every rename replaces it.
 *
 * <p>A join-semilattice: what is replaced stays replaced. At most {@link #MAX_REPLACED} replaced ids are remembered one
 * by one; every id at or below the highest of the others ({@code floor}) counts as replaced.
 *
 * @param rivals the ids of renames that nobody replaced, but for the current one; highest stamp first
 * @param replaced the stamps of ids that a rename replaced; highest first, all above {@code floor}
 * @param floor the highest stamp of the replaced ids that are not remembered one by one, if any
 */
public record Renames(
        List<Stamped<String>> rivals,
        List<Stamp> replaced,
        @Nullable Stamp floor) {

    /** The session kept its id. */
    public static final Renames NONE = new Renames(List.of(), List.of(), null);

    /** Replaced ids remembered one by one. */
    static final int MAX_REPLACED = 16;

    private static final Comparator<Stamped<String>> LOWEST_FIRST =
            Comparator.comparing((Stamped<String> id) -> id.stamp()).thenComparing(Stamped::value);

    /** The ids with these stamps are replaced. */
    static Renames replacing(List<Stamp> stamps) {
        return of(List.of(), stamps, null, null);
    }

    /** What another member wrote, brought into the order and the bounds that hold here. */
    public static Renames read(List<Stamped<String>> rivals, List<Stamp> replaced, @Nullable Stamp floor) {
        return of(rivals, replaced, floor, null);
    }

    /** A new id replaces the current one, and all rivals. */
    Renames renamed(@Nullable Stamp current, Stamped<String> newId) {
        List<Stamp> gone = new ArrayList<>();
        if (current != null) {
            gone.add(current);
        }
        rivals.forEach(rival -> gone.add(rival.stamp()));
        return join(this, replacing(gone), newId, null);
    }

    /** The rivals with this id are replaced; {@code null} if it is no rival. */
    @Nullable
    Renames retired(String id, @Nullable Stamped<String> current) {
        List<Stamp> gone = rivals.stream()
                .filter(rival -> rival.value().equals(id))
                .map(Stamped::stamp)
                .toList();
        return gone.isEmpty() ? null : join(this, replacing(gone), current, null);
    }

    /** The same without the current id among the rivals. */
    Renames beside(@Nullable Stamped<String> current) {
        return current == null || !rivals.contains(current) ? this : of(rivals, replaced, floor, current);
    }

    /** The ids that find a session with this current one: it, and the rivals. */
    List<String> ids(String current) {
        return rivals.isEmpty()
                ? List.of(current)
                : Stream.concat(Stream.of(current), rivals.stream().map(Stamped::value))
                        .distinct()
                        .toList();
    }

    /** Whether the id written at this stamp finds nothing any more. */
    boolean replaces(Stamp stamp) {
        return replaced.contains(stamp) || (floor != null && stamp.compareTo(floor) <= 0);
    }

    boolean isNone() {
        return rivals.isEmpty() && replaced.isEmpty() && floor == null;
    }

    /** Both as one, of sessions with these ids. */
    static Renames join(Renames a, Renames b, @Nullable Stamped<String> idOfA, @Nullable Stamped<String> idOfB) {
        boolean oneId = idOfA == null || idOfB == null || idOfA.equals(idOfB);
        if (oneId && a.isNone() && b.isNone()) {
            return NONE;
        }
        if (idOfB == null && b.isNone()) {
            return a; // Most changes of a session that was renamed tell nothing of its ids.
        }
        if (idOfA == null && a.isNone()) {
            return b;
        }
        TreeSet<Stamped<String>> rivals = new TreeSet<>(LOWEST_FIRST);
        rivals.addAll(a.rivals);
        rivals.addAll(b.rivals);
        if (idOfA != null) {
            rivals.add(idOfA);
        }
        if (idOfB != null) {
            rivals.add(idOfB);
        }
        TreeSet<Stamp> replaced = new TreeSet<>(a.replaced);
        replaced.addAll(b.replaced);
        return of(rivals, replaced, SessionDelta.later(a.floor, b.floor), Stamped.later(idOfA, idOfB));
    }

    private static Renames of(
            Iterable<Stamped<String>> rivals,
            Iterable<Stamp> replaced,
            @Nullable Stamp floor,
            @Nullable Stamped<String> current) {
        TreeSet<Stamp> kept = new TreeSet<>();
        replaced.forEach(kept::add);
        Stamp lowest = floor;
        while (kept.size() > MAX_REPLACED) {
            lowest = SessionDelta.later(lowest, kept.pollFirst());
        }
        if (lowest != null) {
            kept.headSet(lowest, true).clear();
        }
        Renames filter = new Renames(List.of(), List.copyOf(kept.descendingSet()), lowest);
        TreeSet<Stamped<String>> left = new TreeSet<>(LOWEST_FIRST);
        for (Stamped<String> rival : rivals) {
            if (!rival.equals(current) && !filter.replaces(rival.stamp())) {
                left.add(rival);
            }
        }
        return new Renames(List.copyOf(left.descendingSet()), filter.replaced, lowest);
    }
}
