package io.understudy.network.detection;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jspecify.annotations.Nullable;

/**
 * VERIFY_SUSPECT2 that queries a suspect several times, and passes it on when each query had its time.
 *
 * <p>VERIFY_SUSPECT2 queries a suspect once. A query, or a response, that is lost with a connection then costs a living
 * member its place in the view. It judges by the clock: if this member itself stands still for the timeout, or its
 * clock is set, a suspect is passed on whose response nobody has read. It looks once in a timeout, whenever the time
 * began, so it takes one to two timeouts. Here each query has a part of the timeout. If the part was over much later
 * than it should, this member stood still, and the query is repeated.
 *
 * <p>On the wire it is VERIFY_SUSPECT2. Threads: as VERIFY_SUSPECT2. Public as JGroups looks into it.
 */
public final class RETRY_VERIFY_SUSPECT2 extends VERIFY_SUSPECT2 {

    /** Within the timeout. */
    static final int QUERIES = 5;

    /** Most queries that are repeated as this member stood still; a member that always does has to judge, too. */
    static final int MAX_REPEATED = 5;

    /** One suspicion of a member, from its beginning; a later one of the same member is another object. */
    private static final class Suspicion {

        final Address member;

        /** When it was looked at last, or began. */
        volatile long lookedNanos;

        Suspicion(Address member, long beganNanos) {
            this.member = member;
            this.lookedNanos = beganNanos;
        }
    }

    /** The newest of each member. Guarded by this. */
    private final Map<Address, Suspicion> suspicions = new HashMap<>();

    private final LongSupplier nanoTime;

    public RETRY_VERIFY_SUSPECT2() {
        this(System::nanoTime);
    }

    /** @param nanoTime a monotonic clock */
    RETRY_VERIFY_SUSPECT2(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        setId(ClassConfigurator.getProtocolId(VERIFY_SUSPECT2.class));
    }

    @Override
    protected void verifySuspect(@Nullable Collection<Address> members) {
        List<Suspicion> begun = members == null ? List.of() : begin(members);
        try {
            super.verifySuspect(members);
        } finally {
            if (!begun.isEmpty()) {
                lookLater(begun, 1, 0);
            }
        }
    }

    /** Those who were not suspected already. */
    private synchronized List<Suspicion> begin(Collection<Address> members) {
        List<Suspicion> begun = members.stream()
                .filter(member -> !isSuspected(member))
                .map(member -> new Suspicion(member, nanoTime.getAsLong()))
                .toList();
        begun.forEach(suspicion -> suspicions.put(suspicion.member, suspicion));
        super.addSuspects(addresses(begun)); // Last: without memory before that, the member is not suspected yet.
        return begun;
    }

    /** {@link #verifySuspect} has done that. */
    @Override
    protected void addSuspects(@Nullable Collection<Address> members) {}

    private boolean isSuspected(Address member) {
        return suspects.stream().anyMatch(suspect -> suspect.suspect().equals(member));
    }

    private synchronized boolean isOpen(Suspicion suspicion) {
        return isSuspected(suspicion.member) && suspicions.get(suspicion.member) == suspicion;
    }

    private long partMillis() {
        return Math.max(1, getTimeout() / QUERIES);
    }

    private void lookLater(List<Suspicion> queried, int queries, int repeated) {
        long part = TimeUnit.MILLISECONDS.toNanos(partMillis());
        long due = nanoTime.getAsLong() + part;
        Future<?> unused = timer.schedule(
                () -> look(queried, queries, repeated, nanoTime.getAsLong() - due > part),
                partMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** @param stoodStill whether this member had less time for the last query than it should */
    private void look(List<Suspicion> queried, int queries, int repeated, boolean stoodStill) {
        List<Suspicion> silent = queried.stream().filter(this::isOpen).toList();
        silent.forEach(suspicion -> suspicion.lookedNanos = nanoTime.getAsLong());
        boolean again = stoodStill && repeated < MAX_REPEATED;
        if (queries >= QUERIES && !again) {
            pass(silent);
        } else if (!silent.isEmpty()) {
            try {
                super.verifySuspect(addresses(silent));
            } finally {
                lookLater(silent, again ? queries : queries + 1, again ? repeated + 1 : repeated);
            }
        }
    }

    private void pass(List<Suspicion> silent) {
        List<Address> dead =
                addresses(silent).stream().filter(this::removeSuspect).toList();
        if (!dead.isEmpty()) {
            log.debug("%s: sending up SUSPECT(%s)", local_addr, dead);
            up_prot.up(new Event(Event.SUSPECT, dead));
        }
    }

    private static List<Address> addresses(List<Suspicion> suspicions) {
        return suspicions.stream().map(suspicion -> suspicion.member).toList();
    }

    /** Once in a timeout: begins anew with those whose next look could not be planned, as for want of memory. */
    @Override
    public void run() {
        List<Suspicion> forgotten;
        synchronized (this) {
            suspicions.values().removeIf(suspicion -> !isSuspected(suspicion.member));
            forgotten = suspicions.values().stream()
                    .filter(suspicion -> nanoTime.getAsLong() - suspicion.lookedNanos
                            > TimeUnit.MILLISECONDS.toNanos(2 * getTimeout()))
                    .toList();
        }
        if (!forgotten.isEmpty()) {
            look(forgotten, 0, 0, false);
        }
    }
}
