package io.understudy.cluster;

import io.understudy.cluster.Exchange.NoAnswerException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * What a member does between its goodbye and its end. It still answers, and takes what others changed before they heard of the
 * goodbye: they count on it until then.
 *
 * <p>Where sessions are kept, one of those that stop at once is the last holder. It may have said goodbye first, and what the
 * others wrote since then did not go to it. So it takes what they have more before it writes, and they stay until it has.
 *
 * <p>Threads: that which closes the channel, and those that close applications; {@link #group} any.
 */
final class Parting {

    private static final Logger LOG = System.getLogger(Parting.class.getName());

    private final Members members;
    private final Exchange exchange;
    private final LastHolder lastHolder;
    private final Map<Long, ApplicationGroup> held = new ConcurrentHashMap<>();

    Parting(Members members, Exchange exchange, LastHolder lastHolder) {
        this.members = members;
        this.exchange = exchange;
        this.lastHolder = lastHolder;
    }

    /** Before the goodbye: this member still answers for this one, which it holds all sessions of. */
    void begin(ApplicationGroup group) {
        held.put(group.number(), group);
    }

    /** All others have heard the goodbye. */
    void end(ApplicationGroup group) {
        held.remove(group.number(), group);
    }

    /** The application if this member held it when it said goodbye. */
    @Nullable
    ApplicationGroup group(long application) {
        return held.get(application);
    }

    /** Keeps the sessions of those applications that no other member keeps, and waits until the others are kept. */
    void keep() {
        List<ApplicationGroup> elsewhere = new ArrayList<>();
        for (ApplicationGroup group : held.values()) {
            if (lastHolder.isLast(group.number())) {
                gather(group);
                lastHolder.gathered(group.number());
                group.restoration().keep();
            } else {
                elsewhere.add(group);
            }
        }
        elsewhere.forEach(group -> lastHolder.awaitGathered(group.number()));
    }

    private void gather(ApplicationGroup group) {
        for (Address member : members.view()) {
            if (!members.isSelf(member)) {
                try {
                    int pulled = new Reconciler(group, exchange).pullLast(member);
                    LOG.log(
                            Level.DEBUG,
                            "{0} - pulled {1} sessions of {2}, which also stops",
                            group.label(),
                            pulled,
                            member);
                } catch (NoAnswerException e) {
                    LOG.log(Level.DEBUG, "{0} - pulled nothing from {1}: {2}", group.label(), member, e.getMessage());
                }
            }
        }
    }
}
