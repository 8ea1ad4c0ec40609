package io.understudy.testkit.faultpoints;

import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * What a sweep tries this time if it does not try all that can happen. Seeds in a row go on from part to part of the
 * places, and from one kind of fault to the next. Each day has the next one; the system property {@code fault.seed}
 * repeats one.
 */
public record FaultSeed(long seed) {

    public static FaultSeed ofToday() {
        return new FaultSeed(
                Long.getLong("fault.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay()));
    }

    /** Which of so many parts of the places it is. */
    public int part(int parts) {
        return Math.floorMod(seed, parts);
    }

    /** Which of the faults at each place it is. All parts have one before any has the next. */
    public long turn(int parts) {
        return Math.floorDiv(seed, parts);
    }

    /** How to repeat it. */
    @Override
    public String toString() {
        return "-Dfault.seed=" + seed;
    }
}
