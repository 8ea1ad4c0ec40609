package io.understudy.ordering;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jgroups.MergeView;
import org.jgroups.Message;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;

/**
 * The members that messages come from, each with its {@link ScopeOrder}.
 *
 * <p>A view that can't be taken over, whatever was thrown, is {@linkplain #halfWay open} until {@link #takeOver} succeeds.
 *
 * <p>Threads: any.
 */
final class Origins {

    private final Map<Address, ScopeOrder<Message>> orders = new ConcurrentHashMap<>();
    private final Supplier<ScopeOrder<Message>> made;
    private final BiConsumer<Address, ScopeOrder<Message>> gone;
    private volatile List<Address> members = List.of();
    private volatile @Nullable View open;

    /**
     * @param made makes an order
     * @param gone gets the order of an origin that left, which is not known here any more
     */
    Origins(Supplier<ScopeOrder<Message>> made, BiConsumer<Address, ScopeOrder<Message>> gone) {
        this.made = made;
        this.gone = gone;
    }

    ScopeOrder<Message> of(Address origin) {
        ScopeOrder<Message> known = orders.get(origin); // Nearly always, and without a lock.
        return known != null ? known : orders.computeIfAbsent(origin, member -> made.get());
    }

    Collection<ScopeOrder<Message>> all() {
        return orders.values();
    }

    void clear() {
        orders.clear();
    }

    /** There is a new view, to be {@linkplain #takeOver taken over}. */
    void next(View view) {
        open = view;
    }

    /** Whether the last view is not taken over wholly. */
    boolean halfWay() {
        return open != null;
    }

    /** Takes over the last view, unless that was done. */
    synchronized void takeOver(@Nullable Address self) {
        View view = open;
        if (view == null) {
            return;
        }
        List<Address> before = members;
        List<Address> present = List.copyOf(view.getMembers());
        for (Address origin : present) {
            if (!before.contains(origin) || apart(view, origin, self)) {
                of(origin).listen();
            }
        }
        members = present;
        releaseDeparted();
        done(view);
    }

    @GuardedBy("this")
    @SuppressWarnings("ReferenceEquality") // The next one may have come meanwhile.
    private void done(View view) {
        open = open == view ? null : open;
    }

    /** Whether the origin was in a view without this member, which may not know: a process that stood still does not. */
    static boolean apart(View view, Address origin, @Nullable Address self) {
        return view instanceof MergeView merge
                && merge.getSubgroups().stream()
                        .anyMatch(side -> side.containsMember(origin) && !side.containsMember(self));
    }

    /** Of those that are not in the view nothing is kept, also if a message that was under way made them known again. */
    void releaseDeparted() {
        for (Address origin : List.copyOf(orders.keySet())) {
            ScopeOrder<Message> departed = members.contains(origin) ? null : orders.remove(origin);
            if (departed != null) {
                gone.accept(origin, departed);
            }
        }
    }
}
