package io.understudy.cluster.delivery;

/** How many of the members that count hold a change. */
public enum AckResult {
    /** All that are still in the view, and at least one. */
    ALL,
    /** As many as were asked for; others have not answered yet, or could not take it. */
    ENOUGH,
    /** Fewer than were asked for: a member that is ready for the application could not take it, or was apart. */
    FEW,
    /** None: nobody else counts, or all that did have left or can't show it. */
    NONE;

    public static AckResult worse(AckResult a, AckResult b) {
        return a.compareTo(b) < 0 ? b : a;
    }
}
