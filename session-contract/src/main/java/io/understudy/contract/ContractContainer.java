package io.understudy.contract;

import io.understudy.Understudy;
import java.util.Optional;

/** A kind of servlet container, as its adapter's tests start it. */
public interface ContractContainer {

    /** A running server. */
    interface Node extends AutoCloseable {

        /** Where it listens on loopback, for HTTP/1.1, and for HTTP/2 without TLS. */
        int port();

        @Override
        void close();
    }

    /**
     * Starts a server with the application at {@link Application#PATH}, which looks for overdue sessions each second.
     *
     * @param node that replicates its sessions, and is closed by others; empty: they are the container's own
     */
    Node start(Topology topology, Application application, Optional<Understudy> node) throws Exception;
}
