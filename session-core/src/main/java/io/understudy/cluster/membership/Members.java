package io.understudy.cluster.membership;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.threads.Changes;
import io.understudy.threads.Uninterrupted;
import io.understudy.wire.Frame.Membership;
import io.understudy.wire.Frame.Phase;
import io.understudy.wire.Frame.Presence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/**
 * The view, and what each of its members announces of itself.
 *
 * <p>Threads: any; guarded by this. The joiner, a thread of the node, waits in this monitor; others wait for {@link
 * #changes}.
 */
public final class Members {

    private record Known(
            long announcement,
            long origin,
            boolean coherent,
            Map<Long, Phase> phases,
            Set<Long> undeployed,
            Set<Long> restoring) {}

    private record Asked(long application, Phase least) {}

    /**
     * The members that have an application, as far as is known.
     *
     * @param others the members besides this one, in view order
     * @param complete whether these are all: every other member of the view has announced what it has
     */
    public record Census(List<Address> others, boolean complete) {}

    private final Supplier<Address> self;
    private final Changes changes = new Changes();

    /** What {@link #others} found; asked for every change. Replaced when it may be otherwise; filled under the lock. */
    private volatile Map<Asked, List<Address>> others = new ConcurrentHashMap<>();

    /** Replaced under the lock; looked at for each change that comes. */
    private volatile List<Address> view = List.of();

    @GuardedBy("this")
    private final PeerStates<Known> known = new PeerStates<>();

    /** The last announcement of this member that each other one has confirmed. */
    @GuardedBy("this")
    private final Map<Address, Long> heard = new HashMap<>();

    /** Which announcement each member of another side is to confirm. */
    @GuardedBy("this")
    private final Map<Address, Long> awaited = new HashMap<>();

    private final LongSupplier monotonicMillis;

    @GuardedBy("this")
    private final DepartedMembers departures = new DepartedMembers();

    public Members(Supplier<Address> self, LongSupplier monotonicMillis) {
        this.self = self;
        this.monotonicMillis = monotonicMillis;
    }

    /** Signalled when anything here changed. */
    Changes changes() {
        return changes;
    }

    /** @return the members of the old view that are not in the new one */
    public Set<Address> view(List<Address> members) {
        Set<Address> left = change(members);
        changes.signal();
        return left;
    }

    private synchronized Set<Address> change(List<Address> members) {
        Set<Address> left = new HashSet<>(view);
        members.forEach(left::remove);
        view = List.copyOf(members);
        long now = monotonicMillis.getAsLong();
        for (Address member : left) {
            Known said = known.by(member);
            departures.left(member, said == null ? Set.of() : said.phases().keySet(), now);
        }
        departures.present(members);
        known.view(members);
        others = new ConcurrentHashMap<>();
        heard.keySet().retainAll(members);
        awaited.keySet().retainAll(members);
        notifyAll();
        return left;
    }

    /**
     * @return whether this is the last that the member announced: an earlier presence that comes late, or again, is
     *     dropped
     */
    public boolean said(Address member, Presence presence) {
        boolean last = note(member, presence);
        changes.signal();
        return last;
    }

    private synchronized boolean note(Address member, Presence presence) {
        Known before = known.by(member);
        if (before != null && before.announcement() > presence.announcement()) {
            return false;
        }
        Map<Long, Phase> phases = new HashMap<>();
        Set<Long> undeployed = new HashSet<>();
        Set<Long> restoring = new HashSet<>();
        for (Membership membership : presence.memberships()) {
            long application = ApplicationNumber.of(membership.application());
            phases.put(application, membership.phase());
            if (!membership.deployed()) {
                undeployed.add(application);
            }
            if (membership.restoring()) {
                restoring.add(application);
            }
        }
        known.say(
                member,
                new Known(
                        presence.announcement(),
                        presence.origin(),
                        presence.coherent(),
                        phases,
                        undeployed,
                        restoring));
        others = new ConcurrentHashMap<>();
        notifyAll();
        return true;
    }

    /** Since when members were away without a goodbye that are back with the last view; or {@link DepartedMembers#NONE}. */
    public synchronized long apartSince(long application) {
        return departures.apartSince(application);
    }

    /** When the missing members left without a goodbye. */
    public synchronized List<Long> missing(long application) {
        return departures.missing(application);
    }

    /** A member took an announcement of this one. */
    public void heard(Address member, long announcement) {
        note(member, announcement);
        changes.signal();
    }

    private synchronized void note(Address member, long announcement) {
        heard.merge(member, announcement, Math::max);
        notifyAll();
    }

    /**
     * The members of these sides may have forgotten this one while they were apart.
     *
     * @param announcement by which they {@linkplain #knownTo know} it again
     */
    public synchronized void apart(List<Set<Address>> sides, long announcement) {
        sides.forEach(side -> side.forEach(member -> awaited.put(member, announcement)));
    }

    /**
     * Whether the member, if it has this one in its view, knows what this one has: it waits for this one's acknowledgements
     * then.
     */
    public synchronized boolean knownTo(Address member) {
        return heard.getOrDefault(member, 0L) >= awaited.getOrDefault(member, 0L);
    }

    /** Waits until one of them {@linkplain #knownTo knows} this member, or the time is over; whether one does. */
    public boolean awaitKnownToOne(List<Address> side, long millis) throws InterruptedException {
        return changes.await(() -> side.stream().anyMatch(this::knownTo), millis);
    }

    /** Whether every other member of the view has confirmed this announcement or a later one. */
    public boolean allHeard(long announcement) {
        return notHeard(announcement).isEmpty();
    }

    /** The other members of the view that have not. */
    public synchronized List<Address> notHeard(long announcement) {
        List<Address> silent = new ArrayList<>();
        for (Address member : view) {
            if (!member.equals(self.get()) && heard.getOrDefault(member, 0L) < announcement) {
                silent.add(member);
            }
        }
        return silent;
    }

    /**
     * Waits until they have, or the time is over; whether they have. An interrupt does not shorten that: if a
     * member leaves sooner, what was lost on the way is lost for good.
     */
    public boolean awaitHeard(long announcement, long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        return Uninterrupted.get(() ->
                changes.await(() -> allHeard(announcement), TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
    }

    /** Whether every other member of the view has said, last, that it is coherent. */
    synchronized boolean othersCoherent() {
        for (Address member : view) {
            Known said = known.by(member);
            if (!member.equals(self.get()) && (said == null || !said.coherent())) {
                return false;
            }
        }
        return true;
    }

    /** This member. */
    public Address self() {
        return self.get();
    }

    public boolean isSelf(@Nullable Address member) {
        return self.get().equals(member);
    }

    public List<Address> view() {
        return view;
    }

    /** Whether every other member of the view has announced what it has. */
    public synchronized boolean allAnnounced() {
        return !view.isEmpty() && silent().isEmpty();
    }

    /** The other members of the view that have not announced yet what they have. */
    public synchronized List<Address> silent() {
        List<Address> silent = new ArrayList<>(view);
        silent.removeAll(known.all().keySet());
        silent.remove(self.get());
        return silent;
    }

    /** The other members that have the application at this phase or further, in view order. */
    public List<Address> others(long application, Phase least) {
        List<Address> found = others.get(new Asked(application, least));
        return found == null ? find(application, least) : found;
    }

    /** The other members that have the application, at whatever phase, and whether that is known of all. */
    public synchronized Census census(long application) {
        return new Census(others(application, Phase.JOINING), allAnnounced());
    }

    private synchronized List<Address> find(long application, Phase least) {
        List<Address> members = new ArrayList<>();
        for (Address member : view) {
            Phase phase = phase(member, application);
            if (!member.equals(self.get()) && phase != null && phase.compareTo(least) >= 0) {
                members.add(member);
            }
        }
        List<Address> found = List.copyOf(members);
        others.put(new Asked(application, least), found);
        return found;
    }

    /**
     * The member with the application that is complete by definition where none is ready. That is the first in the view
     * that has sessions of an earlier run to bring back, else the first.
     *
     * @param restoring whether this member, which has the application, has such sessions
     */
    public synchronized @Nullable Address first(long application, boolean restoring) {
        Address first = null;
        for (Address member : view) {
            boolean here = member.equals(self.get());
            Known said = known.by(member);
            if (here ? restoring : said != null && said.restoring().contains(application)) {
                return member;
            }
            if (first == null && (here || phase(member, application) != null)) {
                first = member;
            }
        }
        return first;
    }

    /** Whether the member has the application, at whatever phase, as far as is known. */
    public synchronized boolean has(Address member, long application) {
        return phase(member, application) != null;
    }

    /** Whether so many members are here, and each of them has the application. */
    public synchronized boolean allHave(long application, int count) {
        for (Address member : view) {
            if (!member.equals(self.get()) && phase(member, application) == null) {
                return false;
            }
        }
        return view.size() >= count;
    }

    /** Whether the member that writes with this origin is there and runs the application: not only keeps its sessions. */
    public synchronized boolean runs(long origin, long application) {
        return known.all().values().stream()
                .anyMatch(said -> said.origin() == origin
                        && said.phases().containsKey(application)
                        && !said.undeployed().contains(application));
    }

    /** The other members that hold all sessions of the application and run it, in view order. */
    public synchronized List<Address> serving(long application) {
        List<Address> serving = new ArrayList<>(others(application, Phase.READY));
        known.all().forEach((member, said) -> {
            if (said.undeployed().contains(application)) {
                serving.remove(member);
            }
        });
        return serving;
    }

    @GuardedBy("this")
    private @Nullable Phase phase(Address member, long application) {
        Known said = known.by(member);
        return said == null ? null : said.phases().get(application);
    }
}
