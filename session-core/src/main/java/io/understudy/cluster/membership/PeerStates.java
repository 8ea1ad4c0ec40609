package io.understudy.cluster.membership;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * What each member of the view said last. Who left has to speak again when it is back.
 *
 * <p>Whoever takes over the view of two sides first speaks to all in it, and that may arrive where one of the earlier views, of
 * one side only, is still to come. It is kept until its view has come: it is not said again.
 *
 * <p>Threads: one at a time.
 */
final class PeerStates<T> {

    /** Of how many that are in no view it is kept; far more than a cluster has members. The oldest is forgotten first. */
    private static final int MAX_EARLY = 1000;

    private final Map<Address, T> present = new HashMap<>();
    private final Map<Address, T> early = new LinkedHashMap<>();
    private List<Address> view = List.of();

    void view(Collection<Address> members) {
        view = List.copyOf(members);
        present.keySet().retainAll(view);
        for (Address member : view) {
            T before = early.remove(member);
            if (before != null) {
                present.put(member, before);
            }
        }
    }

    void say(Address member, T what) {
        if (view.contains(member)) {
            present.put(member, what);
            return;
        }
        early.remove(member);
        if (early.size() == MAX_EARLY) {
            early.remove(early.keySet().iterator().next());
        }
        early.put(member, what);
    }

    /** @return {@code null} if it is not in the view, or said nothing since it is */
    @Nullable
    T by(Address member) {
        return present.get(member);
    }

    /** By each that is in the view and said something, in the order of the view. */
    Map<Address, T> all() {
        Map<Address, T> all = new LinkedHashMap<>();
        for (Address member : view) {
            T what = present.get(member);
            if (what != null) {
                all.put(member, what);
            }
        }
        return all;
    }
}
