package io.understudy.network.multicast;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which peers receive what this member multicasts, by evidence alone: what they confirm of its beacons, and how much
 * they ask for again. Times are milliseconds of one clock that never goes back.
 *
 * <p>A peer receives multicast if it has confirmed a large beacon that was sent no longer than {@value #FRESH_MILLIS}
 * ms ago. Small ones show whether a peer that does not receive large ones receives anything at all. Peers are reached
 * by multicast if at least {@value #FEWEST} receive it. A peer that stops receiving, or that requests more than {@value
 * #ASKED_PERCENT} % again two seconds in a row, gets TCP. It gets multicast again when it has received without a break
 * for a while, which is longer the sooner it was lost again.
 *
 * <p>Threads: any.
 *
 * @param <P> a peer
 */
public final class MulticastReachability<P> {

    /** One datagram costs as much as one copy by TCP, so for a single peer there is nothing to be spared. */
    public static final int FEWEST = 2;

    /** Two large beacons may be lost in a row: one comes every 200 ms. */
    static final long FRESH_MILLIS = 700;

    /**
     * Above it, sending again costs more than a second copy: each message that is asked for is late by 100 to 200 ms.
     */
    static final int ASKED_PERCENT = 5;

    /** Fewer, in a second, are no share of anything. */
    private static final int FEWEST_ASKED = 5;

    /** How long a peer that stopped hearing has to hear before it counts again. */
    private static final long UNHEARD_HOLD = 1000;

    /** How long one that asked for too much has to: its beacons never stopped, so only a try can tell. */
    private static final long ASKED_HOLD = 10_000;

    private static final long LONGEST_HOLD = 160_000;

    /** A peer that was reached by multicast for so long begins with the shortest hold again. */
    private static final long GOOD_MILLIS = 60_000;

    /** How long a new peer may take to hear before it is told that it does not. */
    private static final long GRACE_MILLIS = 2000;

    private static final long SECOND = 1000;
    private static final String LARGE = "large";
    private static final String SMALL_AND_LARGE = "small and large";
    private static final String NOT_YET = "it has not confirmed yet that it receives multicasts";

    /**
     * How a peer is reached.
     *
     * @param proven bytes of the largest beacon that it has confirmed; larger datagrams go by TCP
     * @param reason a sentence about the peer, without the peer
     */
    record Reached(boolean multicast, long sinceMillis, int proven, String reason) {}

    /**
     * A peer that is reached another way from now on, or for the first time by a way that is worth telling.
     *
     * @param known whether the way was told before, and the reason says more now
     */
    record Change<P>(P peer, Reached reached, boolean known) {}

    private static final class Evidence {
        private final long metMillis;
        private long small = Long.MIN_VALUE;
        private long large = Long.MIN_VALUE;
        private int largeBytes;
        private long hearsSince = -1;
        private long fellMillis;
        private long hold;
        private long asked;
        private boolean askedTooMuch;
        private String fell = "";
        private boolean told;
        private String missingTold = "";
        private Reached reached;

        private Evidence(long now) {
            metMillis = now;
            reached = new Reached(false, now, 0, NOT_YET);
        }

        private boolean fresh(long sent, long now) {
            return sent != Long.MIN_VALUE && now - sent <= FRESH_MILLIS;
        }

        private boolean young(long now) {
            return small == Long.MIN_VALUE && large == Long.MIN_VALUE && now - metMillis < GRACE_MILLIS;
        }

        /** What is not confirmed; empty if nothing is missing: where large ones pass, small ones do. */
        private String missing(long now) {
            return fresh(large, now) ? "" : fresh(small, now) ? LARGE : SMALL_AND_LARGE;
        }

        /**
         * Whether small beacons are confirmed now, and were not when the way was told. An operator looks for a
         * blocked port if none is, and for a lost fragment if large ones are missing alone.
         */
        private boolean knowsMore(long now) {
            return missingTold.equals(SMALL_AND_LARGE) && missing(now).equals(LARGE);
        }
    }

    @GuardedBy("this")
    private final Map<P, Evidence> peers = new LinkedHashMap<>();

    @GuardedBy("this")
    private long sent;

    @GuardedBy("this")
    private long secondBegan;

    MulticastReachability(long now) {
        secondBegan = now;
    }

    /**
     * A peer has heard beacons.
     *
     * @param small when the latest small one was sent that it has heard; negative for none
     * @param large the same of a large one, of {@code largeBytes} bytes
     */
    synchronized void confirmed(P peer, long small, long large, int largeBytes, long now) {
        Evidence evidence = peers.get(peer);
        if (evidence == null || small > now || large > now) {
            return; // No peer of this view, or not said of these beacons.
        }
        if (small >= 0) {
            evidence.small = Math.max(evidence.small, small);
        }
        if (large >= 0 && large >= evidence.large) {
            evidence.large = large;
            evidence.largeBytes = largeBytes;
        }
    }

    /** A peer asks for messages again. */
    synchronized void askedAgain(P peer, int messages) {
        Evidence evidence = peers.get(peer);
        if (evidence != null && evidence.reached.multicast()) {
            evidence.asked += messages;
        }
    }

    /** Messages went out by multicast. */
    synchronized void sent(int messages) {
        sent += messages;
    }

    /**
     * Looks at the evidence; to be called several times in {@link #FRESH_MILLIS}. Who is no peer any more is
     * forgotten.
     */
    synchronized List<Change<P>> look(Collection<P> present, long now) {
        peers.keySet().retainAll(present);
        present.forEach(peer -> peers.computeIfAbsent(peer, key -> new Evidence(now)));
        if (now - secondBegan >= SECOND) {
            secondBegan = now;
            peers.values().forEach(this::weigh);
            sent = 0;
        }
        Map<P, String> against = new HashMap<>();
        peers.forEach((peer, evidence) -> {
            String reason = against(evidence, now);
            if (!reason.isEmpty()) {
                against.put(peer, reason);
            }
        });
        boolean few = peers.size() - against.size() < FEWEST;
        List<Change<P>> changes = new ArrayList<>();
        peers.forEach((peer, evidence) -> {
            String reason =
                    against.getOrDefault(peer, few ? "fewer than " + FEWEST + " members receive multicasts" : "");
            boolean known = evidence.told;
            if (decide(evidence, reason, now)) {
                changes.add(new Change<>(peer, evidence.reached, false));
            } else if (known && evidence.knowsMore(now)) {
                evidence.missingTold = LARGE;
                changes.add(new Change<>(peer, evidence.reached, true));
            }
        });
        return changes;
    }

    @GuardedBy("this")
    private void weigh(Evidence evidence) {
        boolean tooMuch = evidence.asked >= FEWEST_ASKED && evidence.asked * 100 > sent * ASKED_PERCENT;
        // Twice: where datagrams stop at all, that the beacons do too is known sooner, and says more.
        if (tooMuch && evidence.askedTooMuch && evidence.reached.multicast()) {
            fall(
                    evidence,
                    "asked again for more than " + ASKED_PERCENT + " % of what was multicast",
                    ASKED_HOLD,
                    secondBegan);
        }
        evidence.askedTooMuch = tooMuch;
        evidence.asked = 0;
    }

    /** Why not by multicast; empty if nothing speaks against it. */
    private static String against(Evidence evidence, long now) {
        String missing = evidence.missing(now);
        if (!missing.isEmpty()) {
            String unheard = "does not receive multicasts (no confirmation of " + missing + " beacons for "
                    + FRESH_MILLIS + " ms)";
            if (evidence.reached.multicast()) {
                fall(evidence, unheard, UNHEARD_HOLD, now);
            }
            evidence.hearsSince = -1;
            return evidence.young(now) ? NOT_YET : "it " + unheard;
        }
        if (evidence.hearsSince < 0) {
            evidence.hearsSince = now;
        }
        if (now - Math.max(evidence.hearsSince, evidence.fellMillis) >= evidence.hold) {
            return "";
        }
        return "it " + evidence.fell + ", and must receive all for " + evidence.hold / SECOND + " s";
    }

    private static void fall(Evidence evidence, String reason, long shortest, long now) {
        boolean wasGood = now - evidence.reached.sinceMillis() >= GOOD_MILLIS;
        evidence.hold = wasGood ? shortest : Math.min(LONGEST_HOLD, Math.max(shortest, 2 * evidence.hold));
        evidence.fell = reason;
        evidence.fellMillis = now;
    }

    private static boolean decide(Evidence evidence, String against, long now) {
        boolean multicast = against.isEmpty();
        Reached before = evidence.reached;
        boolean other = before.multicast() != multicast;
        boolean overdue = !multicast && !evidence.told && now - evidence.metMillis >= GRACE_MILLIS;
        if (other || overdue) {
            evidence.told = true;
            evidence.missingTold = evidence.missing(now);
        }
        evidence.reached = new Reached(
                multicast,
                other ? now : before.sinceMillis(),
                multicast ? evidence.largeBytes : 0,
                multicast ? "it confirms large beacons" : against);
        return other || overdue;
    }

    /** How each peer is reached, as of the last {@link #look}. */
    synchronized Map<P, Reached> reached() {
        Map<P, Reached> reached = new LinkedHashMap<>();
        peers.forEach((peer, evidence) -> reached.put(peer, evidence.reached));
        return reached;
    }
}
