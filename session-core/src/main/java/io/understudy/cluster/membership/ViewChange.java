package io.understudy.cluster.membership;

import io.understudy.threads.Failures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.MergeView;
import org.jgroups.View;

/**
 * A view that this member is taking over, in steps. A step that fails does not keep the others, and is made again with
 * the next {@link #go}. A member that has taken over half of a view waits for those that are gone, or not for those
 * that came.
 *
 * <p>Threads: one at a time.
 */
public final class ViewChange {

    /** A part of the node that takes over the view. It may be called again if it fails. */
    @FunctionalInterface
    public interface Step {
        void take(ViewChange change);
    }

    private final View view;
    private final List<Address> present;
    private final List<Set<Address>> others;
    private final Set<Address> left;
    private final List<Step> open;
    private final Failures failures;

    /**
     * @param self this member
     * @param before the view until now
     * @param steps in their order
     */
    ViewChange(View view, Address self, List<Address> before, List<Step> steps, Failures failures) {
        this.view = view;
        this.present = view.getMembers();
        this.others = view instanceof MergeView merge ? otherSides(merge, self, before) : List.of();
        Set<Address> missing = new HashSet<>(before);
        present.forEach(missing::remove);
        this.left = missing;
        this.open = new ArrayList<>(steps);
        this.failures = failures;
    }

    /**
     * Members do not always agree who was apart: of a view that was left here, who stayed in it is the other side. A
     * member that did not answer in time is in the view of a subgroup, but not in the merged view.
     */
    private static List<Set<Address>> otherSides(MergeView merge, Address self, List<Address> before) {
        List<Set<Address>> sides = new ArrayList<>();
        for (View subgroup : merge.getSubgroups()) {
            Set<Address> side = new HashSet<>(subgroup.getMembers());
            if (side.contains(self)) {
                before.forEach(side::remove);
            }
            side.retainAll(merge.getMembers());
            if (!side.isEmpty()) {
                sides.add(side);
            }
        }
        return sides;
    }

    /** Makes the steps that are not made yet; whether none is left. */
    boolean go() {
        open.removeIf(this::made);
        return open.isEmpty();
    }

    private boolean made(Step step) {
        try {
            step.take(this);
            return true;
        } catch (Throwable e) {
            failures.report("accepting a view; the node retries", e);
            return false;
        }
    }

    public View view() {
        return view;
    }

    /** The members that it has. */
    public List<Address> present() {
        return present;
    }

    /** The same. */
    public Set<Address> members() {
        return new HashSet<>(present);
    }

    /** Those that it has and that were in a view with this member before. */
    public Set<Address> together() {
        Set<Address> together = members();
        others.forEach(together::removeAll);
        return together;
    }

    /** The sides it was merged of, but this member's own; none if it was not. */
    public List<Set<Address>> others() {
        return others;
    }

    /** The members of the view before that it has no more. */
    public Set<Address> left() {
        return left;
    }

    /** Whether some members may have missed what others did: those of each side, or what a member that died sent last. */
    public boolean missed() {
        return view instanceof MergeView || !left.isEmpty();
    }
}
