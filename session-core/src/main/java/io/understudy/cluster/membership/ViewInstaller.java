package io.understudy.cluster.membership;

import io.understudy.threads.Failures;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;

/**
 * Has the parts of this node take over one view after the other. What fails is tried again: with the next view, at
 * intervals, and before a member's announcement is taken.
 *
 * <p>Threads: any; none waits here for another member.
 */
public final class ViewInstaller {

    private final Members members;
    private final Failures failures;
    private final List<ViewChange.Step> steps;

    /** JGroups tells of one view after the other; what failed of one is taken over by another thread. */
    private final Object taking = new Object();

    /** A view that nothing was done about yet. */
    private volatile @Nullable View waiting;

    /** One of which a step failed. */
    private volatile @Nullable ViewChange change;

    /** Of the view whose members are known; who asks from a later one is answered when that has come here. */
    private volatile long number;

    /** @param listeners take over a view in their order, after the members are known */
    public ViewInstaller(Members members, WireVersions versions, List<ViewChange.Step> listeners, Failures failures) {
        this.members = members;
        this.failures = failures;
        this.steps = new ArrayList<>();
        steps.add(view -> versions.view(view.present()));
        steps.add(view -> members.view(view.present()));
        steps.add(view -> number = view.view().getViewId().getId());
        steps.addAll(listeners);
    }

    /** The view whose changes are all here, or passed on when they come. Numbers of views grow, for each member. */
    public long number() {
        return number;
    }

    /** Whether the last view is not taken over wholly. */
    public boolean halfWay() {
        return waiting != null || change != null;
    }

    /** Takes over a view, after what is left of the one before. */
    public void install(View view) {
        synchronized (taking) {
            goOn();
            waiting = view;
            goOn();
        }
    }

    /** Takes over what failed of a view. */
    public void goOn() {
        synchronized (taking) {
            try {
                View next = waiting;
                if (next != null) {
                    change = new ViewChange(next, members.self(), members.view(), steps, failures);
                    waiting = null;
                }
                if (change != null && change.go()) {
                    change = null;
                }
            } catch (Throwable e) {
                failures.report("accepting a view; the node retries", e);
            }
        }
    }
}
