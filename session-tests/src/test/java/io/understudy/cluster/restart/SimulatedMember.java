package io.understudy.cluster.restart;

import io.understudy.cluster.membership.ApplicationNumber;
import io.understudy.cluster.membership.Members;
import io.understudy.cluster.messaging.RequestCorrelator;
import io.understudy.cluster.messaging.RequestCorrelator.NoAnswerException;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.threads.Failures;
import io.understudy.wire.Frame;
import io.understudy.wire.Frame.LastAnswer;
import io.understudy.wire.Frame.LastRequest;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import io.understudy.wire.Frame.Refusal;
import io.understudy.wire.Frame.Response;
import io.understudy.wire.Frame.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jgroups.Address;
import org.jgroups.util.UUID;
import org.jspecify.annotations.Nullable;

/** One member of a {@link StopSimulation}, with the real parts that decide who keeps the sessions. */
final class SimulatedMember implements OrderlyLeave.Stopping {

    private static final String SHOP = "/shop";
    private static final long NUMBER = ApplicationNumber.of(SHOP);

    /** The number of the announcement. */
    private static final long GOODBYE = 2;

    private static final long LIMIT_MILLIS = 60_000;

    private final StopSimulation cluster;
    private final int index;
    private final Address address;
    private final Members members;
    private final RequestCorrelator exchange;
    private final LastHolder holder;
    private final OrderlyLeave leave;
    private final Set<String> sessions = ConcurrentHashMap.newKeySet();
    private final Set<SimulatedMember> takenOver = ConcurrentHashMap.newKeySet();
    private volatile boolean ready = true;
    private volatile boolean stopping;
    private volatile boolean gone;
    private volatile @Nullable Set<String> file;

    SimulatedMember(StopSimulation cluster, int index, long random) {
        this.cluster = cluster;
        this.index = index;
        this.address = new UUID(random, index);
        this.members = new Members(() -> address, () -> 0);
        Failures failures = new Failures("n" + index, new ReplicationMetrics());
        this.exchange = new RequestCorrelator(this::send, failures);
        this.holder =
                new LastHolder(members, () -> address, exchange, number -> !stopping && ready, number -> !stopping);
        this.leave = new OrderlyLeave(members, holder, failures);
        sessions.add(ownSession());
    }

    Address address() {
        return address;
    }

    String ownSession() {
        return "s" + index;
    }

    /** The members whose sessions this one has taken over, and those whose sessions they had taken over before. */
    Set<SimulatedMember> takenOver() {
        Set<SimulatedMember> all = new HashSet<>(takenOver);
        takenOver.forEach(member -> all.addAll(member.takenOver()));
        return all;
    }

    Set<String> sessions() {
        return sessions;
    }

    boolean written() {
        return file != null;
    }

    Set<String> file() {
        Set<String> written = file;
        return written == null ? Set.of() : written;
    }

    void begin(List<Address> view, List<SimulatedMember> all, @Nullable SimulatedMember suspended) {
        ready = this != suspended;
        members.view(view);
        for (SimulatedMember other : all) {
            if (other != this) {
                Phase phase = other == suspended ? Phase.COUNTED : Phase.READY;
                members.said(other.address, presence(1, List.of(new Membership(SHOP, phase, true, false))));
            }
        }
    }

    /** As a node does that is closed. */
    void stop() {
        stopping = true;
        for (Address other : members.view()) {
            if (!other.equals(address)) {
                carry(other, () -> cluster.at(other).goodbye(address));
            }
        }
        members.awaitHeard(GOODBYE, LIMIT_MILLIS);
        leave.keep(List.of(this));
        cluster.left(this);
    }

    private void goodbye(Address leaving) {
        members.said(leaving, presence(GOODBYE, List.of()));
        carry(leaving, () -> cluster.at(leaving).members.heard(address, GOODBYE));
    }

    void gone() {
        gone = true;
    }

    void withoutMember(Address left) {
        synchronized (this) {
            List<Address> rest = new ArrayList<>(members.view());
            rest.remove(left);
            members.view(rest);
        }
        exchange.view(Set.copyOf(members.view()));
    }

    private void send(Address to, Frame frame) {
        carry(to, () -> cluster.at(to).received(address, frame));
    }

    /** Nothing comes from, or to, one that is gone. */
    private void carry(Address to, Runnable delivery) {
        if (!gone) {
            cluster.later(() -> {
                if (!cluster.at(to).gone) {
                    delivery.run();
                }
            });
        }
    }

    private void received(Address sender, Frame frame) {
        if (frame instanceof Response response) {
            exchange.answered(sender, response);
        } else if (frame instanceof LastRequest request) {
            if (!members.view().contains(sender)) {
                send(sender, new Refusal(request.request()));
            } else if (request.stage() == Stage.HANDS_OVER) {
                cluster.later(() -> send(sender, new LastAnswer(request.request(), takesOver(sender))));
            } else {
                send(sender, new LastAnswer(request.request(), holder.asked(sender, request)));
            }
        }
    }

    private boolean takesOver(Address sender) {
        boolean taken = !stopping
                && ready
                && OrderlyLeave.takeOver(this, sender, () -> members.view().contains(sender))
                && !stopping;
        if (taken) {
            takenOver.add(cluster.at(sender));
        }
        return taken;
    }

    @Override
    public long number() {
        return NUMBER;
    }

    @Override
    public String label() {
        return SHOP + "@n" + index;
    }

    @Override
    public int pullLast(Address member) throws NoAnswerException {
        SimulatedMember other = cluster.at(member);
        if (other.gone) {
            throw new NoAnswerException(member + " left");
        }
        sessions.addAll(other.sessions);
        return 1;
    }

    @Override
    public boolean keep() {
        file = Set.copyOf(sessions);
        return true;
    }

    private static Presence presence(long announcement, List<Membership> memberships) {
        return new Presence(1, announcement, false, 1, 1, memberships);
    }
}
