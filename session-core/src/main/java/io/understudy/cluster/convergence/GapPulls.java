package io.understudy.cluster.convergence;

import io.understudy.cluster.delivery.AckSender;
import io.understudy.cluster.membership.LocalApplication;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.replica.SessionKey;
import io.understudy.store.StoredReplica;
import io.understudy.threads.ChannelThreads;
import io.understudy.wire.Frame.Ack;
import io.understudy.wire.Frame.Phase;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jgroups.Address;

/**
 * Pulls the sessions of which a change may never come, as a later one had to be taken without it: from the member that
 * made the change, else from one that is ready. And those that a late use brought back after their expiry, which hid what
 * they held from comparison: from every member. Those that gather while one pull runs go together in the next; a session is
 * pulled once for all its gaps.
 *
 * <p>Threads: any; pulls run on asking threads, those for gaps one at a time.
 */
public final class GapPulls {

    private static final Logger LOG = System.getLogger(GapPulls.class.getName());

    private final LocalApplication application;
    private final Members members;
    private final AckSender acks;
    private final ChannelThreads threads;
    private final Reconciler reconciler;
    private final Map<SessionKey, Address> wanted = new ConcurrentHashMap<>();
    private final Set<SessionKey> revived = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean pulling = new AtomicBoolean();

    public GapPulls(
            LocalApplication application,
            Members members,
            AckSender acks,
            ChannelThreads threads,
            Reconciler reconciler) {
        this.application = application;
        this.members = members;
        this.acks = acks;
        this.threads = threads;
        this.reconciler = reconciler;
    }

    /** Asks, soon, for the session of which a change of {@code origin} is missing. */
    public void close(SessionKey key, Address origin) {
        wanted.put(key, origin);
        pullUnlessPulling();
    }

    /** Asks every member, soon, for a session that a use brought back. */
    public void revived(SessionKey key) {
        revived.add(key);
        pullUnlessPulling();
    }

    /**
     * Asks {@code origin}, soon, for a session that this member has not seen whole, and acknowledges its change then: as held
     * or, whatever happens, as not held.
     */
    public void fetchWhole(Address origin, long change, SessionKey key) {
        boolean asked = threads.executeAsking("fetching a session whole", () -> {
            boolean holds = false;
            try {
                holds = fetched(origin, key);
            } finally {
                acks.ack(origin, new Ack(change, !holds));
            }
        });
        if (!asked) {
            acks.enqueue(origin, new Ack(change, true));
        }
    }

    private boolean fetched(Address origin, SessionKey key) {
        boolean pulled = false;
        try {
            pulled = reconciler.pull(origin, List.of(key)) > 0;
        } catch (NoAnswerException e) {
            application.waitingFor(e.reason());
        }
        StoredReplica stored = application.store().header(key);
        return pulled && stored != null && !stored.replica().parked();
    }

    private void pullUnlessPulling() {
        if (pulling.compareAndSet(false, true) && !threads.executeAsking("pulling sessions with a gap", this::pull)) {
            pulling.set(false); // The next gap is another chance.
        }
    }

    private void pull() {
        try {
            Map<Address, List<SessionKey>> byOrigin = new HashMap<>();
            for (SessionKey key : List.copyOf(wanted.keySet())) {
                Address origin = wanted.remove(key);
                if (origin != null) {
                    byOrigin.computeIfAbsent(origin, member -> new ArrayList<>())
                            .add(key);
                }
            }
            byOrigin.forEach(this::pull);
            pullRevived();
        } finally {
            pulling.set(false);
            if (!wanted.isEmpty() || !revived.isEmpty()) {
                pullUnlessPulling();
            }
        }
    }

    /** Who does not answer is compared with later, as members do at intervals: alive here and over there differ. */
    private void pullRevived() {
        List<SessionKey> keys = new ArrayList<>(revived);
        if (keys.isEmpty()) {
            return;
        }
        keys.forEach(revived::remove);
        for (Address member : members.others(application.number(), Phase.JOINING)) {
            try {
                reconciler.pull(member, keys);
            } catch (NoAnswerException e) {
                LOG.log(
                        Level.DEBUG,
                        "{0} - could not pull revived sessions from another member: {1}",
                        application.label(),
                        e.getMessage());
            }
        }
    }

    private void pull(Address origin, List<SessionKey> keys) {
        List<Address> holders = new ArrayList<>(members.others(application.number(), Phase.READY));
        if (holders.remove(origin) || members.view().contains(origin)) {
            holders.add(0, origin); // It has what it wrote even if it is not ready.
        }
        for (Address holder : holders) {
            try {
                reconciler.pull(holder, keys);
                return;
            } catch (NoAnswerException e) {
                LOG.log(Level.DEBUG, "{0} - a gap is still open: {1}", application.label(), e.getMessage());
            }
        }
        if (!holders.isEmpty()) {
            LOG.log(
                    Level.INFO,
                    "{0} - could not pull {1} sessions with a missing change from any of {2}; the next comparison "
                            + "pulls them",
                    application.label(),
                    keys.size(),
                    holders);
        }
    }
}
