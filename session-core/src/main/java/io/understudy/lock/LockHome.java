package io.understudy.lock;

import io.understudy.lock.LockMessage.Claim;
import io.understudy.lock.LockMessage.Grant;
import io.understudy.lock.LockMessage.Release;
import io.understudy.lock.LockMessage.Report;
import io.understudy.lock.LockMessage.Request;
import io.understudy.replica.SessionKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * What a member knows as the home of locks, in one view. It begins with nothing, learns from the reports of all members
 * who holds and who waits, and only then grants. After a merge a lock can have several holders; the next is granted when
 * all of them have released.
 *
 * <p>Threads: one at a time.
 */
final class LockHome<M> {

    /** A fence is the view's number and, in this many bits, the grant's in the view: enough for years of grants. */
    private static final int GRANT_BITS = 40;

    private record Place<M>(M member, long request, long fence) {}

    /** Those that have the lock of one session, and those that wait for it in turn. */
    private record Line<M>(List<Place<M>> holders, Deque<Place<M>> waiters) {

        boolean empty() {
            return holders.isEmpty() && waiters.isEmpty();
        }

        void removeIf(Predicate<Place<M>> which) {
            holders.removeIf(which);
            waiters.removeIf(which);
        }
    }

    private final LockView<M> view;
    private final BiConsumer<M, Grant> grants;
    private final Set<M> silent;

    /** The fences, by request, of what each member held before its report, of which the last part is still to come. */
    private final Map<M, Map<Long, Long>> heldBefore = new HashMap<>();

    private final Map<SessionKey, Line<M>> lines = new HashMap<>();
    private long granted;

    /** @param grants is told whom the lock was given to */
    LockHome(LockView<M> view, BiConsumer<M, Grant> grants) {
        this.view = view;
        this.grants = grants;
        this.silent = new HashSet<>(view.members());
    }

    /** The members whose reports are missing. */
    Set<M> silent() {
        return Set.copyOf(silent);
    }

    /** Nothing is granted before all have reported again. */
    void doubt() {
        silent.addAll(view.members());
    }

    /** How many locks are held or waited for. */
    int locks() {
        return lines.size();
    }

    /** What a member reports replaces what was known of it; a grant that it has not seen is made again, and is still one. */
    void reported(M member, Report report) {
        if (report.first()) {
            silent.add(member); // Until the last part is here.
            // Those of an earlier report stay whose last part did not come.
            heldBefore.computeIfAbsent(member, reporting -> new HashMap<>()).putAll(fences(member));
            lines.values().forEach(line -> line.removeIf(place -> place.member().equals(member)));
        }
        Map<Long, Long> before = heldBefore.getOrDefault(member, Map.of());
        for (Claim claim : report.claims()) {
            long unseen = claim.fence() == 0 ? before.getOrDefault(claim.request(), 0L) : 0;
            Place<M> place = new Place<>(member, claim.request(), claim.fence() + unseen);
            Line<M> line = line(claim.key());
            if (place.fence() == 0) {
                line.waiters().add(place);
            } else {
                line.holders().add(place);
            }
            if (unseen != 0) {
                grants.accept(member, new Grant(view.tag(), claim.key(), claim.request(), unseen));
            }
        }
        if (report.last()) {
            heldBefore.remove(member);
            silent.remove(member);
            if (silent.isEmpty()) {
                List.copyOf(lines.keySet()).forEach(this::grantNext);
            }
        }
    }

    private Map<Long, Long> fences(M member) {
        Map<Long, Long> fences = new HashMap<>();
        for (Line<M> line : lines.values()) {
            line.holders().stream()
                    .filter(place -> place.member().equals(member))
                    .forEach(place -> fences.put(place.request(), place.fence()));
        }
        return fences;
    }

    void requested(M member, Request request) {
        line(request.key()).waiters().add(new Place<>(member, request.request(), 0));
        grantNext(request.key());
    }

    /** A fence that is not the holder's is of a hold that is over. */
    void released(M member, Release release) {
        line(release.key())
                .removeIf(place -> place.member().equals(member)
                        && place.request() == release.request()
                        && (release.fence() == 0 || release.fence() == place.fence()));
        grantNext(release.key());
    }

    private Line<M> line(SessionKey key) {
        return lines.computeIfAbsent(key, k -> new Line<>(new ArrayList<>(1), new ArrayDeque<>(1)));
    }

    private void grantNext(SessionKey key) {
        Line<M> line = line(key);
        if (line.empty()) {
            lines.remove(key);
        } else if (silent.isEmpty() && line.holders().isEmpty()) {
            Place<M> next = line.waiters().remove();
            long fence = view.tag().number() << GRANT_BITS | ++granted;
            line.holders().add(new Place<>(next.member(), next.request(), fence));
            grants.accept(next.member(), new Grant(view.tag(), key, next.request(), fence));
        }
    }

    /** All it knows, for tests and people. */
    @Override
    public String toString() {
        return "home of " + view.tag() + " misses " + silent + ", granted " + granted + ", " + lines + " " + heldBefore;
    }
}
