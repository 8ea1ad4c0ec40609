package io.understudy.expiry;

import io.understudy.testkit.Sides;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Which members of {@link EndWorld} told their listeners that the session ends: one, and another only if it is dead or apart. */
final class ListenerCalls {

    private final boolean splits;

    /** Who told listeners, with the side it was on. */
    private final List<String> fired = new ArrayList<>();

    private final Set<Integer> firers = new TreeSet<>();

    /** @param splits whether members may be apart */
    ListenerCalls(boolean splits) {
        this.splits = splits;
    }

    int count() {
        return fired.size();
    }

    /** A member tells its listeners. */
    void call(int member, String side, Sides sides) {
        for (int earlier : firers) {
            if (!sides.dead(earlier) && !splits) {
                throw new AssertionError(member + " tells listeners that " + earlier + " has told");
            }
        }
        if (!fired.isEmpty() && splits && (fired.size() > 1 || fired.get(0).equals(side))) {
            throw new AssertionError(member + " tells listeners on " + side + " after those on " + fired);
        }
        fired.add(side);
        firers.add(member);
    }

    /** A member's request uses the session, which has not ended there. */
    void checkUse(int member) {
        if (!fired.isEmpty() && !splits) {
            throw new AssertionError(member + " uses the session after its listeners were told: " + fired);
        }
    }

    @Override
    public String toString() {
        return fired + "|" + firers;
    }
}
