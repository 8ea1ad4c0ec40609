package io.understudy.network.stack;

import java.util.List;
import org.jgroups.stack.Protocol;

/** Changes the protocols of a channel, bottom to top, before it is made of them: so that tests can disturb it. */
@FunctionalInterface
public interface StackCustomizer {

    /** Leaves them as they are. */
    StackCustomizer NONE = stack -> stack;

    List<Protocol> apply(List<Protocol> stack);
}
