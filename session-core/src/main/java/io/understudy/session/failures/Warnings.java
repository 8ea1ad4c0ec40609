package io.understudy.session.failures;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which warnings about listeners of one application's attributes are in the log: each cause once. Threads: any. */
public final class Warnings {

    /** How many different causes are logged. */
    private static final int MAX_CAUSES = 1000;

    private final Set<String> causes = ConcurrentHashMap.newKeySet();

    /** Whether this cause was not logged yet; it counts as logged from now on. */
    public boolean firstTime(String cause) {
        return causes.size() < MAX_CAUSES && causes.add(cause);
    }
}
