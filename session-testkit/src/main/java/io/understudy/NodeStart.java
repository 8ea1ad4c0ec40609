package io.understudy;

import io.understudy.cluster.StackChange;
import io.understudy.config.UnderstudyConfig;
import io.understudy.replica.TimeSource;

/** Starts nodes with what only tests give them: a clock and a changed protocol stack. */
public final class NodeStart {

    private NodeStart() {}

    public static Understudy start(UnderstudyConfig config, TimeSource time, StackChange stack) {
        return Understudy.start(config, time, stack);
    }
}
