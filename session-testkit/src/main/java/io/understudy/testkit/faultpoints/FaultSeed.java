package io.understudy.testkit.faultpoints;

/**
 * What a sweep tries this time if it does not try all that can happen. Seeds in a row go on from part to part of the
 * places, and from one kind of fault to the next. The system property {@code fault.seed} sets it.
 */
public record FaultSeed(long seed) {

    /** Without the property it is always the same one: a test does not fail because the day is another. */
    private static final long USUAL = 20786;

    public static FaultSeed given() {
        return new FaultSeed(Long.getLong("fault.seed", USUAL));
    }

    /** One of so many parts of the places. All parts have one of the faults before any has the next. */
    public SweepPart part(int parts) {
        return new SweepPart(Math.floorMod(seed, parts), parts, Math.floorDiv(seed, parts));
    }

    /** How to repeat it. */
    @Override
    public String toString() {
        return "-Dfault.seed=" + seed;
    }
}
