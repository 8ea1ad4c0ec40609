package io.understudy.session.failures;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.codec.WireText;
import io.understudy.session.failures.KeptAttributes.Why;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The causes why attributes of one application stay on this node. A cause is logged when it begins, and when it had no
 * session for a minute. If it comes back within an hour, the next line is logged after that hour, or when it takes the
 * place of another cause.
 *
 * <p>Threads: any; guarded by this. Lines are logged outside of the lock, as requests take it.
 */
final class KeptCauses {

    private static final Logger LOG = System.getLogger(KeptCauses.class.getName());

    /** Most causes with a log line. */
    static final int MAX_CAUSES = 1000;

    /** Most sessions of a cause that are noted, from one line about its begin to the next. */
    static final int MAX_NOTED = 20;

    /** A cause ends when it had no session for this time, in milliseconds. */
    static final long ENDED_AFTER_MILLIS = 60_000;

    /** From one line about the begin of a cause to the next, in milliseconds. */
    static final long QUIET_MILLIS = 3_600_000;

    private static final class Found {

        private final String attribute;
        private final Why why;
        private long lastMillis;
        private long begunMillis;
        private boolean begun;
        private int noted;

        /** @param nowMillis its begin may be logged now */
        Found(String attribute, Why why, long nowMillis) {
            this.attribute = attribute;
            this.why = why;
            this.begunMillis = nowMillis - QUIET_MILLIS;
        }

        boolean begins(long nowMillis) {
            lastMillis = nowMillis;
            if (begun || nowMillis - begunMillis < QUIET_MILLIS) {
                return false;
            }
            begun = true;
            begunMillis = nowMillis;
            noted = 0;
            return true;
        }
    }

    private final String label;

    @GuardedBy("this")
    private final Map<KeptCause, Found> causes = new HashMap<>();

    @GuardedBy("this")
    private final LastReasons lastReasons;

    /** @param label of the application on its node */
    KeptCauses(String label, long nowMillis) {
        this.label = label;
        this.lastReasons = new LastReasons(nowMillis);
    }

    /**
     * A session has an attribute that stays here.
     *
     * @param another whether it was not known to have it for this cause
     * @return whether the session is one of those that are noted
     */
    boolean found(KeptCause cause, String attribute, Why why, boolean another, long nowMillis) {
        Found found;
        long leftOut = -1;
        boolean noted;
        synchronized (this) {
            found = causes.get(cause);
            if (found == null) {
                if (causes.size() >= MAX_CAUSES) {
                    return false;
                }
                found = new Found(attribute, why, nowMillis);
                causes.put(cause, found);
            }
            if (found.begins(nowMillis)) {
                lastReasons.logged(cause, nowMillis);
                leftOut = 0;
            } else if (another) {
                leftOut = lastReasons.changed(cause, nowMillis);
            }
            noted = another && found.noted < MAX_NOTED;
            found.noted += noted ? 1 : 0;
        }
        if (leftOut >= 0) {
            begun(found, leftOut);
        }
        return noted;
    }

    /**
     * To be called about once in a second.
     *
     * @param present the causes that have sessions now
     * @param all whether there are no others
     */
    void look(Set<KeptCause> present, boolean all, long nowMillis) {
        List<Found> begun = new ArrayList<>();
        List<Found> ended = new ArrayList<>();
        synchronized (this) {
            Iterator<Map.Entry<KeptCause, Found>> each = causes.entrySet().iterator();
            while (each.hasNext()) {
                Map.Entry<KeptCause, Found> entry = each.next();
                Found found = entry.getValue();
                if (present.contains(entry.getKey())) {
                    if (found.begins(nowMillis)) {
                        lastReasons.logged(entry.getKey(), nowMillis);
                        begun.add(found);
                    }
                } else if (all && nowMillis - found.lastMillis >= ENDED_AFTER_MILLIS) {
                    if (found.begun) {
                        found.begun = false;
                        ended.add(found);
                    }
                    if (nowMillis - found.begunMillis >= QUIET_MILLIS) {
                        each.remove();
                    }
                }
            }
        }
        begun.forEach(found -> begun(found, 0));
        ended.forEach(this::ended);
    }

    private void begun(Found found, long leftOut) {
        LOG.log(
                Level.WARNING,
                "{0} - attribute ''{1}'' of class {2} stays on this node: {3}{4}",
                label,
                WireText.shown(found.attribute),
                found.why.valueClass(),
                found.why.text(),
                leftOut == 0 ? "" : ". Before this, " + leftOut + " such lines were left out");
    }

    private void ended(Found found) {
        LOG.log(
                Level.INFO,
                "{0} - no session has attribute ''{1}'' of class {2} on this node only any more ({3}: {4})",
                label,
                WireText.shown(found.attribute),
                found.why.valueClass(),
                found.why.reason().key(),
                found.why.text());
    }
}
