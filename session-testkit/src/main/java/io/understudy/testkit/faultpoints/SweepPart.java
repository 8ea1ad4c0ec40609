package io.understudy.testkit.faultpoints;

/**
 * One of several parts of all places, and which fault each place of it has. The part that a place is in does not depend on
 * other places.
 *
 * @param number from 0 to {@code parts - 1}
 * @param turn chooses among the kinds of fault and the arrivals; the next turn has the next one at each place
 */
public record SweepPart(int number, int parts, long turn) {}
