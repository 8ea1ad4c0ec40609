package io.understudy.jetty;

import java.util.HashSet;
import java.util.Set;

/**
 * The session ids of one request for which other nodes are asked: few, whatever a client sends. Browsers send the cookies of
 * the longest path first, and few have more than one.
 *
 * <p>Threads: one at a time.
 */
final class Questions {

    /** So many ids that are not known here are looked up, in all applications together. */
    static final int MOST = 3;

    private final Set<String> ids = new HashSet<>();
    private int asked;

    /**
     * Whether an application may ask for an id that it does not know.
     *
     * @param ready whether the application is; one that is joining asks one node and not all, and can't go on without an
     *     answer, so only the number of ids counts
     */
    boolean mayAsk(String id, boolean ready) {
        if (!ids.contains(id) && ids.size() == MOST) {
            return false;
        }
        ids.add(id);
        return !ready || asked++ < MOST;
    }
}
