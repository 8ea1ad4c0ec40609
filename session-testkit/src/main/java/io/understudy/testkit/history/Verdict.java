package io.understudy.testkit.history;

import java.util.List;
import java.util.Set;

/**
 * How a history ended.
 *
 * @param lostAttributes promised writes of attributes that are neither there nor overwritten by a later one
 * @param lostSessions promised sessions that nobody ended and that are gone, or lost the attribute with their name
 * @param resurrected sessions, or removed attributes, that are there after a promised end
 * @param unequal sessions that the members hold differently
 * @param unexplained values that nobody wrote, and sessions that are there twice
 * @param staleReads reads that missed a write that was acknowledged before they began
 * @param lostUnpromised writes that were answered without a promise and are missing
 * @param losses what is lost or missing, promised or not
 * @param examples of what is wrong, for people
 */
public record Verdict(
        int lostAttributes,
        int lostSessions,
        int resurrected,
        int unequal,
        int unexplained,
        int staleReads,
        int lostUnpromised,
        Set<Loss> losses,
        List<String> examples) {

    /**
     * Something that was answered and is missing on at least one member.
     *
     * @param attribute empty if it is the session
     * @param removal whether what was answered last removed the attribute
     */
    public record Loss(String session, String attribute, boolean removal) {}

    /** Whether everything is as promised. */
    public boolean holds() {
        return lostAttributes + lostSessions + resurrected + unequal + unexplained + staleReads == 0;
    }
}
