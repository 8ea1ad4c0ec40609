package io.understudy.lock;

import io.understudy.lock.LockMessage.Ask;
import io.understudy.lock.LockMessage.Claim;
import io.understudy.lock.LockMessage.Grant;
import io.understudy.lock.LockMessage.Release;
import io.understudy.lock.LockMessage.Report;
import io.understudy.lock.LockMessage.Request;
import io.understudy.replica.SessionKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The locks of sessions, seen from one member: those that requests here hold or wait for, and those this member is the
 * home of. In one view at most one request has the lock of a session, but for those that held it on different sides of
 * a partition when the sides were merged.
 *
 * <p>Threads: one at a time. Every method returns what to do next.
 */
public final class SessionLocks<M> {

    /** Claims in one message; it then stays below 120 KB. */
    private static final int MAX_CLAIMS = 4096;

    /** A message of a view that this member has not entered yet. */
    private record Early<M>(M from, LockMessage message) {}

    private final M self;

    /** What requests here hold or wait for, oldest first. */
    private final Map<Long, Claim> claims = new LinkedHashMap<>();

    private final List<Early<M>> early = new ArrayList<>();
    private final Queue<LockMessage> toSelf = new ArrayDeque<>();
    private List<LockOutput<M>> outputs = new ArrayList<>();
    private @Nullable LockView<M> view;
    private @Nullable LockHome<M> home;
    private long requests;
    private boolean unsure;

    public SessionLocks(M self) {
        this.self = self;
    }

    /** How many requests here hold a lock or wait for one. */
    public int claims() {
        return claims.size();
    }

    /** How many locks that this member is the home of are held or waited for. */
    public int locksAtHome() {
        LockHome<M> mine = home;
        return mine == null ? 0 : mine.locks();
    }

    /** The number under which the next {@link #claim} will be granted. */
    public long nextRequest() {
        return requests + 1;
    }

    /** A request here wants the lock. Its number is the one that {@link #nextRequest} returned. */
    public List<LockOutput<M>> claim(SessionKey key) {
        long request = ++requests;
        claims.put(request, new Claim(key, request, 0));
        LockView<M> now = view;
        if (now != null) {
            send(now.home(key), new Request(now.tag(), key, request));
        }
        return done();
    }

    /** A request here gives up the lock, or waits for it no longer; does nothing if it has done so before. */
    public List<LockOutput<M>> release(long request) {
        Claim claim = claims.remove(request);
        LockView<M> now = view;
        if (claim != null && now != null) {
            send(now.home(claim.key()), new Release(now.tag(), claim.key(), request, claim.fence()));
        }
        return done();
    }

    /** This member enters a view; one that is not newer than the present one is ignored. */
    public List<LockOutput<M>> enter(LockView<M> entered) {
        LockView<M> before = view;
        if (before != null && entered.tag().number() <= before.tag().number()) {
            return List.of();
        }
        view = entered;
        home = new LockHome<>(entered, this::send);
        entered.members().forEach(member -> report(entered, member));
        List<Early<M>> arrived = List.copyOf(early);
        early.clear();
        arrived.forEach(message -> take(message.from(), message.message()));
        return done();
    }

    private void report(LockView<M> now, M to) {
        List<Claim> mine = claims.values().stream()
                .filter(claim -> now.home(claim.key()).equals(to))
                .toList();
        int from = 0;
        do {
            int end = Math.min(mine.size(), from + MAX_CLAIMS);
            send(to, new Report(now.tag(), from == 0, end == mine.size(), mine.subList(from, end)));
            from = end;
        } while (from < mine.size());
    }

    /** A message arrived from another member. */
    public List<LockOutput<M>> receive(M from, LockMessage message) {
        take(from, message);
        return done();
    }

    /**
     * Something was thrown on the way, for want of memory for example: actions or messages may be lost. With the next
     * {@link #remind} all is reported again, here and to the others, and what is held here is granted again. Needs no
     * memory.
     */
    public void unsure() {
        unsure = true;
    }

    /** To be called now and then: asks again for reports that are missing. */
    public List<LockOutput<M>> remind() {
        LockHome<M> mine = home;
        LockView<M> now = view;
        if (mine != null && now != null) {
            if (unsure) {
                mine.doubt();
                grantsAgain();
                now.members().forEach(member -> report(now, member));
                unsure = false;
            }
            mine.silent().forEach(member -> send(member, new Ask(now.tag())));
        }
        return done();
    }

    /** A grant is told here once, which may have failed. One that was told is of no consequence. */
    private void grantsAgain() {
        claims.values().stream()
                .filter(claim -> claim.fence() != 0)
                .forEach(claim -> outputs.add(new LockOutput.Granted<>(claim.request(), claim.fence())));
    }

    private void take(M from, LockMessage message) {
        LockView<M> now = view;
        LockHome<M> mine = home;
        if (now == null || mine == null || message.view().number() > now.tag().number()) {
            early.add(new Early<>(from, message));
        } else if (message.view().equals(now.tag())) {
            if (message instanceof Request request) {
                mine.requested(from, request);
            } else if (message instanceof Release release) {
                mine.released(from, release);
            } else if (message instanceof Report report) {
                mine.reported(from, report);
            } else if (message instanceof Grant grant) {
                granted(grant);
            } else {
                report(now, from);
            }
        }
    }

    /** A grant to a request that has given up meets its release, which is on its way. */
    private void granted(Grant grant) {
        Claim claim = claims.get(grant.request());
        if (claim != null && claim.fence() == 0) {
            claims.put(grant.request(), new Claim(grant.key(), grant.request(), grant.fence()));
            outputs.add(new LockOutput.Granted<>(grant.request(), grant.fence()));
        }
    }

    private void send(M to, LockMessage message) {
        if (to.equals(self)) {
            toSelf.add(message);
        } else {
            outputs.add(new LockOutput.Send<>(to, message));
        }
    }

    private List<LockOutput<M>> done() {
        for (LockMessage message = toSelf.poll(); message != null; message = toSelf.poll()) {
            take(self, message);
        }
        List<LockOutput<M>> result = outputs;
        outputs = new ArrayList<>();
        return result;
    }

    /** All it knows, for tests and people. */
    @Override
    public String toString() {
        return self + " claims " + claims.values() + ", early " + early + ", " + home;
    }
}
