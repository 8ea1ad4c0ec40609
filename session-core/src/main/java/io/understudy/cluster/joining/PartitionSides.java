package io.understudy.cluster.joining;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;

/**
 * The other sides of merged views that this member has not compared itself with yet: until then a session is compared
 * with one member of each before its first use.
 *
 * <p>Threads: any.
 */
public final class PartitionSides {

    @GuardedBy("this")
    private final List<Set<Address>> open = new ArrayList<>();

    /** Whether {@link #open} has any, for requests, which come all at once. */
    private volatile boolean anyOpen;

    /** The ids of sessions that are here: so many at most. */
    @GuardedBy("this")
    private final Set<String> compared = new HashSet<>();

    /** These sides are there again. */
    public synchronized void merged(List<Set<Address>> sides) {
        anyOpen |= !sides.isEmpty(); // First: there may be no memory for the rest.
        for (Set<Address> side : sides) {
            open.add(new HashSet<>(side));
        }
        compared.clear();
    }

    /** What a missing member holds can't be asked for. */
    public synchronized void view(List<Address> members) {
        open.forEach(side -> side.retainAll(members));
        open.removeIf(Set::isEmpty);
        anyOpen = !open.isEmpty();
    }

    /** This member now holds all that {@code member} held. */
    public synchronized void compared(Address member) {
        open.removeIf(side -> side.contains(member));
        anyOpen = !open.isEmpty();
        if (open.isEmpty()) {
            compared.clear();
        }
    }

    boolean anyOpen() {
        return anyOpen;
    }

    /** The sides that the session with this id was not compared with. */
    synchronized List<List<Address>> toCompare(String id) {
        return open.isEmpty() || compared.contains(id)
                ? List.of()
                : open.stream().map(side -> List.copyOf(side)).toList();
    }

    /** The session with this id was compared with a member of each of those sides. */
    synchronized void compared(String id, List<List<Address>> sides) {
        if (sides.size() >= open.size()) {
            compared.add(id);
        }
    }
}
