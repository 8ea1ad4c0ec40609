package io.understudy.network.detection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_ALL3;

/**
 * FD_ALL3 that reports how long members were silent, to an interval. As FD_ALL3 it counts intervals in which this
 * process ran: after a pause of its own it suspects no member for that time.
 *
 * <p>On the wire it is FD_ALL3. Threads: as FD_ALL3. Public as JGroups looks into it.
 */
public final class REPORTING_FD_ALL3 extends FD_ALL3 {

    /** Longer, in milliseconds, than a busy machine keeps heartbeats waiting. */
    private static final long PAUSE_MILLIS = 1500;

    private static final class Silence {
        private volatile boolean heard = true;

        /** In a row, without a word; written by the checker's thread alone. */
        private volatile int intervals;
    }

    private final FailureLog detections;
    private final Map<Address, Silence> silences = new ConcurrentHashMap<>();

    public REPORTING_FD_ALL3(FailureLog detections) {
        this.detections = detections;
        setId(ClassConfigurator.getProtocolId(FD_ALL3.class));
    }

    /**
     * FD_ALL3 leaves out a heartbeat after a message to all members. That may have left as a datagram, which not every
     * member receives, and which is no sign of life of the connection.
     */
    @Override
    public Object down(Message message) {
        return down_prot.down(message);
    }

    /** For each message that comes, and for each member of a new view. */
    @Override
    protected void update(Address sender, boolean log, boolean onlyIfNew) {
        super.update(sender, log, onlyIfNew);
        if (sender != null && !onlyIfNew) {
            Silence silence = silences.get(sender);
            if (silence != null && !silence.heard) {
                silence.heard = true;
            }
        }
    }

    /** Is asked at the end of each interval. */
    @Override
    protected <T> boolean needsToBeSuspected(Address member, T bits) {
        Silence silence = silences.computeIfAbsent(member, any -> new Silence());
        long before = silence.intervals * interval;
        boolean heard = silence.heard;
        silence.heard = false;
        int intervals = heard ? 0 : (int) (before / interval) + 1;
        silence.intervals = intervals;
        boolean suspect = super.needsToBeSuspected(member, bits);
        if (suspect) {
            detections.silent(member, intervals * interval);
        } else if (heard && before >= PAUSE_MILLIS && before < timeout) { // Else it was suspected, and answers.
            detections.heardAgain(member, before);
        }
        return suspect;
    }

    /**
     * The member that makes the view may have counted an interval or two more. By then the suspect is missed here, too.
     */
    @Override
    protected void handleViewChange(View view) {
        silences.forEach((member, silence) -> {
            long silent = silence.intervals * interval;
            if (!view.containsMember(member) && !silence.heard && silent >= PAUSE_MILLIS) {
                detections.silent(member, silent);
            }
        });
        silences.keySet().retainAll(view.getMembers()); // Who comes back was not silent meanwhile, but away.
        super.handleViewChange(view);
    }

    /** Ends an interval; whether a member is to be suspected that was heard before. */
    boolean ended(Address member) {
        Object bits = timestamps.get(member);
        return bits != null && needsToBeSuspected(member, bits);
    }

    @Override
    protected boolean unsuspect(Address member) {
        boolean suspected = super.unsuspect(member);
        if (suspected) {
            detections.answered(member);
        }
        return suspected;
    }
}
