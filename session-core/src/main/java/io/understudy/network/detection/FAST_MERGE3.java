package io.understudy.network.detection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.concurrent.TimeUnit;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.MERGE3;
import org.jspecify.annotations.Nullable;

/**
 * MERGE3 that merges soon after it has learnt of another view.
 *
 * <p>MERGE3 looks at the views that it has received once in a check interval, 1.6 times the longest interval between
 * two messages. So a merge begins up to two and a half of those after members can reach each other again. A shorter
 * check interval is no way out. A tenth of it is also how long a member has to send its view, and on a link with a
 * longer round trip nothing is ever merged. Here it looks at the views often, and the time to answer stays.
 *
 * <p>But not within a second of a new view: not all take it over at the same moment, and messages sent before it are
 * still under way. A merge that begins then waits 5 s for members that are out of reach, and no other one can begin
 * meanwhile.
 *
 * <p>MERGE3 stops while a view is about to come, until it has come. But a coordinator that receives a merged view which
 * another one has spread before gets no view any more, and neither sends nor receives views from then on. Here it goes
 * on.
 *
 * <p>A member that {@linkplain #leave leaves} is quiet from then on. It is in no view any more while it waits for the
 * answer, and if it sent the view it had, the others would merge it in again, and wait until that fails.
 *
 * <p>On the wire it is MERGE3. Threads: as MERGE3.
 */
public final class FAST_MERGE3 extends MERGE3 {

    /** Between two looks at what was heard, in milliseconds. */
    private static final long LOOK_MILLIS = 250;

    /** From a new view to the first look at what was heard, in milliseconds; above the time to collect its acknowledgements. */
    private static final long SETTLED_MILLIS = 1000;

    @GuardedBy("this")
    private long checkedNanos = System.nanoTime();

    private volatile boolean leaving;

    public FAST_MERGE3() {
        setId(ClassConfigurator.getProtocolId(MERGE3.class));
    }

    /** To be called before the channel is closed; for good. */
    public synchronized void leave() {
        leaving = true;
        stopInfoSender();
        stopViewConsistencyChecker();
    }

    @Override
    public Object down(Event event) {
        Object result = super.down(event);
        if (event.getType() == Event.TMP_VIEW) {
            startInfoSender();
            startViewConsistencyChecker();
        }
        return result;
    }

    @Override
    protected synchronized void startInfoSender() {
        if (!leaving) {
            super.startInfoSender();
        }
    }

    @Override
    protected @Nullable Object handle(MergeHeader header, Message message) {
        return leaving ? null : super.handle(header, message);
    }

    @Override
    protected synchronized void startViewConsistencyChecker() {
        if (!leaving && !isViewConsistencyCheckerRunning()) {
            view_consistency_checker =
                    timer.scheduleWithFixedDelay(this::look, SETTLED_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        if (heardOfAnotherView() || due()) {
            checkInconsistencies(); // Forgets what was heard.
        }
    }

    private boolean heardOfAnotherView() {
        View own = view;
        synchronized (views) { // Guarded by itself, and added to by whoever hears something.
            return own != null && views.values().stream().anyMatch(heard -> !heard.equals(own.getViewId()));
        }
    }

    private synchronized boolean due() {
        long now = System.nanoTime();
        boolean due = now - checkedNanos >= TimeUnit.MILLISECONDS.toNanos(check_interval);
        checkedNanos = due ? now : checkedNanos;
        return due;
    }
}
