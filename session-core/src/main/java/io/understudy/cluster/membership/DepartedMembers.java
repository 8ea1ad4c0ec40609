package io.understudy.cluster.membership;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jgroups.Address;

/**
 * The members that left without saying goodbye, and may come back with what they held: dead, cut off, or standing still.
 * Times are monotonic milliseconds of this process.
 *
 * <p>Threads: one at a time.
 */
public final class DepartedMembers {

    /** No departure. */
    public static final long NONE = Long.MIN_VALUE;

    /** Far more than a cluster has members; the oldest is forgotten first. */
    private static final int BOUND = 1000;

    private record Departure(Address member, long at, Set<Long> applications) {}

    private final List<Departure> missing = new ArrayList<>();

    /** The earliest departure of those that came back last, by application. */
    private final Map<Long, Long> apart = new HashMap<>();

    void left(Address member, Set<Long> applications, long now) {
        if (applications.isEmpty()) {
            return; // It had said goodbye.
        }
        if (missing.size() == BOUND) {
            missing.remove(0);
        }
        missing.add(new Departure(member, now, Set.copyOf(applications)));
    }

    void present(List<Address> view) {
        apart.clear();
        for (Departure departure : List.copyOf(missing)) {
            if (view.contains(departure.member())) {
                missing.remove(departure);
                departure.applications().forEach(application -> apart.merge(application, departure.at(), Math::min));
            }
        }
    }

    /** Since when those were away that are in the view again since its last change; {@link #NONE} if none is. */
    long apartSince(long application) {
        return apart.getOrDefault(application, NONE);
    }

    /** When those left that are still missing. */
    List<Long> missing(long application) {
        return missing.stream()
                .filter(departure -> departure.applications().contains(application))
                .map(Departure::at)
                .toList();
    }
}
