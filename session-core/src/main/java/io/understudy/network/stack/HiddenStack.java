package io.understudy.network.stack;

import io.understudy.network.detection.ASYNC_FD_SOCK2;
import io.understudy.network.transport.QUEUED_TCP;
import java.util.ArrayList;
import java.util.List;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.FailureDetection;
import org.jgroups.protocols.LOCAL_PING;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.stack.Protocol;

/**
 * The protocols of a cluster whose members are all in this JVM: those that carry a change, without those that look for
 * members and suspect them.
 */
public final class HiddenStack {

    private HiddenStack() {}

    public static List<Protocol> of(List<Protocol> protocols) {
        List<Protocol> hidden = new ArrayList<>();
        for (Protocol protocol : protocols) {
            if (protocol instanceof QUEUED_TCP tcp) {
                hidden.add(tcp.setBindPort(0)); // Any free one.
                hidden.add(new LOCAL_PING());
            } else if (!looksForOthers(protocol)) {
                hidden.add(protocol);
            }
        }
        return hidden;
    }

    private static boolean looksForOthers(Protocol protocol) {
        return protocol instanceof Discovery
                || protocol instanceof MERGE3
                || protocol instanceof FailureDetection
                || protocol instanceof ASYNC_FD_SOCK2
                || protocol instanceof VERIFY_SUSPECT2;
    }
}
