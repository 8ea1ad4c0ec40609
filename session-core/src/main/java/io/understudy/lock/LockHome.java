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

    /** How many locks are held or waited for. */
    int locks() {
        return lines.size();
    }

    void reported(M member, Report report) {
        if (!silent.contains(member)) {
            return; // It was asked while its report was under way.
        }
        if (report.first()) {
            lines.values().forEach(line -> line.removeIf(place -> place.member().equals(member)));
        }
        for (Claim claim : report.claims()) {
            Place<M> place = new Place<>(member, claim.request(), claim.fence());
            Line<M> line = line(claim.key());
            if (claim.fence() == 0) {
                line.waiters().add(place);
            } else {
                line.holders().add(place);
            }
        }
        if (report.last()) {
            silent.remove(member);
            if (silent.isEmpty()) {
                List.copyOf(lines.keySet()).forEach(this::grantNext);
            }
        }
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
        return "home of " + view.tag() + " misses " + silent + ", granted " + granted + ", " + lines;
    }
}
