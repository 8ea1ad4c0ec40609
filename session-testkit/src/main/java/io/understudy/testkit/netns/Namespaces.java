package io.understudy.testkit.netns;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** For tests that need a {@link Network}. */
public final class Namespaces {

    private Namespaces() {}

    /** Skips the test, loudly, on a machine that can't; in continuous integration (CI=true) it fails instead. */
    public static void assume() {
        String missing = Network.missing();
        if (missing.isEmpty()) {
            return;
        }
        if ("true".equals(System.getenv("CI"))) {
            Assertions.fail("nothing may be skipped with CI=true: " + missing);
        }
        System.err.println("SKIPPED, needs network namespaces: " + missing);
        Assumptions.abort(missing);
    }
}
