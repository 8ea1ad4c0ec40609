package io.understudy.testkit.faultsweep;

import io.understudy.testkit.faultpoints.FaultKind;
import io.understudy.testkit.faultpoints.FaultPoints.Point;
import io.understudy.testkit.faultpoints.SweepPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one run of a sweep has thrown.
 *
 * @param arrival at which arrival at the place, from 1
 */
record Shot(Point point, FaultKind kind, long arrival) {

    /** The first arrival at a place, the second, and one of all later ones. */
    private static final int ARRIVALS = 3;

    /** Turns in a row after which each place had each kind of fault, at each of these arrivals. */
    static final int CYCLE = ARRIVALS * FaultKind.values().length;

    /** An odd number without pattern in its bits. */
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /**
     * One shot at each place of a part, and one at least. The same numbers choose the same shots in each run, whatever
     * else the code passes.
     *
     * @param arrivals how often code passes each place
     */
    static List<Shot> plan(Map<Point, Long> arrivals, SweepPart part) {
        List<Shot> plan = new ArrayList<>();
        Map<String, Integer> alike = new HashMap<>();
        Shot nearest = null;
        long least = part.parts();
        for (Map.Entry<Point, Long> entry : arrivals.entrySet()) {
            String place = entry.getKey().place();
            long hash = hash(place + " " + alike.merge(place, 1, Integer::sum));
            Shot shot = of(entry.getKey(), entry.getValue(), hash, part.turn());
            long distance = Math.floorMod(hash - part.number(), (long) part.parts());
            if (distance == 0) {
                plan.add(shot);
            } else if (distance < least) {
                least = distance;
                nearest = shot;
            }
        }
        return plan.isEmpty() && nearest != null ? List.of(nearest) : plan;
    }

    private static Shot of(Point point, long arrivals, long hash, long turn) {
        List<FaultKind> kinds = point.kind().possible();
        int at = (int) Math.floorMod((hash >>> Integer.SIZE) % CYCLE + turn % CYCLE, (long) CYCLE);
        FaultKind kind = kinds.get(at % kinds.size());
        long arrival = Math.min(at / kinds.size() % ARRIVALS + 1L, arrivals);
        long later = Math.floorMod(hash ^ turn * MIX, Math.max(1, arrivals - ARRIVALS + 1));
        return new Shot(point, kind, arrival < ARRIVALS ? arrival : arrival + later);
    }

    /** All that may happen at a place, at its first arrival and at its second if it has one. */
    static List<Shot> all(Point point, long arrivals) {
        List<Shot> all = new ArrayList<>();
        for (long arrival = 1; arrival <= Math.min(arrivals, 2); arrival++) {
            for (FaultKind kind : point.kind().possible()) {
                all.add(new Shot(point, kind, arrival));
            }
        }
        return all;
    }

    private static long hash(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * MIX;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    @Override
    public String toString() {
        return kind + " at arrival " + arrival + " at " + point.place();
    }
}
