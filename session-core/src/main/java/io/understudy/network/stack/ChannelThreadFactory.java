package io.understudy.network.stack;

import io.understudy.threads.DaemonThreads;
import org.jgroups.protocols.TP;
import org.jgroups.util.DefaultThreadFactory;
import org.jgroups.util.ThreadFactory;

/**
 * The threads that JGroups makes for a channel, often in a request that sends something. JGroups' own inherit what the maker
 * has of its application, and hold it for as long as they live; these do not (see {@link DaemonThreads}). Names are JGroups'.
 */
final class ChannelThreadFactory extends DefaultThreadFactory {

    private ChannelThreadFactory() {
        super("jgroups", true, true);
    }

    /**
     * For a transport that is initialised and not started. One with virtual threads keeps its own: none of them lives long.
     */
    static void use(TP transport) {
        if (transport.useVirtualThreads()) {
            return;
        }
        ThreadFactory threads = new ChannelThreadFactory();
        threads.setPattern(transport.getThreadNamingPattern());
        transport.setThreadFactory(threads);
        transport.getTimer().setThreadFactory(threads);
    }

    @Override
    protected Thread newThread(Runnable task, String name, String address, String cluster) {
        return DaemonThreads.of(getThreadName(name, address, cluster), task);
    }
}
