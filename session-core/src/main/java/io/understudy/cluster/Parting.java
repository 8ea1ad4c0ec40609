package io.understudy.cluster;

import io.understudy.cluster.Exchange.NoAnswerException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * What a member does between its goodbye and its end where sessions are kept. Of those that stop at once one is the last
 * holder; it may have said goodbye first, and have dropped since then what the others wrote. So it takes what they have
 * more before it writes, and they stay until it has.
 *
 * <p>Threads: that which closes the channel; {@link #group} any.
 */
final class Parting {

    private static final Logger LOG = System.getLogger(Parting.class.getName());

    private final Members members;
    private final Exchange exchange;
    private final LastHolder lastHolder;
    private volatile Map<Long, ApplicationGroup> held = Map.of();

    Parting(Members members, Exchange exchange, LastHolder lastHolder) {
        this.members = members;
        this.exchange = exchange;
        this.lastHolder = lastHolder;
    }

    /** From now on this member still answers for these, which it holds all sessions of. */
    void begin(List<ApplicationGroup> groups) {
        held = groups.stream().collect(Collectors.toUnmodifiableMap(ApplicationGroup::number, Function.identity()));
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
                    LOG.log(Level.DEBUG, "{0} - {1} sessions of {2}, which stops, too", group.label(), pulled, member);
                } catch (NoAnswerException e) {
                    LOG.log(Level.DEBUG, "{0} - nothing of {1}: {2}", group.label(), member, e.getMessage());
                }
            }
        }
    }
}
