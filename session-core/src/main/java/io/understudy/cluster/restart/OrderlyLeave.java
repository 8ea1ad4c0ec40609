package io.understudy.cluster.restart;

import io.understudy.cluster.convergence.Reconciler;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jgroups.Address;

/**
 * What a member does between its goodbye and its end. It still answers, and takes what others changed before they
 * received the goodbye: they count on it until then.
 *
 * <p>Where sessions are kept, one of those that stop at once is the last holder. Its goodbye may have been the first,
 * and what the others wrote since then did not go to it. So it takes what they have more before it writes, and they
 * stay until it has.
 *
 * <p>Threads: that which closes the channel.
 */
public final class OrderlyLeave {

    private static final Logger LOG = System.getLogger(OrderlyLeave.class.getName());

    /** An application of which this member holds all sessions. */
    public record Stopping(LocalApplication application, Reconciler reconciler, SessionRestore restoration) {}

    private final Members members;
    private final LastHolder lastHolder;

    public OrderlyLeave(Members members, LastHolder lastHolder) {
        this.members = members;
        this.lastHolder = lastHolder;
    }

    /** Keeps the sessions of those applications that no other member keeps, and waits until the others are kept. */
    public void keep(Collection<Stopping> held) {
        List<LocalApplication> elsewhere = new ArrayList<>();
        for (Stopping each : held) {
            long number = each.application().number();
            if (lastHolder.isLast(number)) {
                gather(each);
                lastHolder.gathered(number);
                each.restoration().keep();
            } else {
                elsewhere.add(each.application());
            }
        }
        elsewhere.forEach(application -> lastHolder.awaitGathered(application.number()));
    }

    private void gather(Stopping each) {
        String label = each.application().label();
        for (Address member : members.view()) {
            if (!members.isSelf(member)) {
                try {
                    int pulled = each.reconciler().pullLast(member);
                    LOG.log(Level.DEBUG, "{0} - pulled {1} sessions of {2}, which also stops", label, pulled, member);
                } catch (NoAnswerException e) {
                    LOG.log(Level.DEBUG, "{0} - pulled nothing from {1}: {2}", label, member, e.getMessage());
                }
            }
        }
    }
}
