package io.understudy.network.stack;

import io.understudy.threads.DaemonThreads;
import io.understudy.threads.Failures;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.protocols.TP;
import org.jgroups.util.DefaultThreadFactory;
import org.jgroups.util.Util;

/**
 * The threads that JGroups makes for a channel, often in a request that sends something. JGroups' own inherit what the
 * maker has of its application, and hold it for as long as they live; these do not (see {@link DaemonThreads}). Names are
 * JGroups'. A stack of one's own may ask for virtual threads: it gets JGroups', but for those that last.
 *
 * <p>The threads that accept connections, the one that reads those of failure detection, and the timer's run for as long
 * as the channel. JGroups ends them with the first {@code Error}, such as a full heap or a missing thread, and nothing
 * starts them again. Here they begin anew.
 */
final class ChannelThreadFactory extends DefaultThreadFactory {

    /** How the names of threads begin that run until their server or timer is stopped. */
    private static final List<String> LASTING = List.of("TcpServer.Acceptor", "NioServer.Selector", "Timer runner");

    private static final long AGAIN_NANOS = 100_000_000;

    private final Failures failures;

    private ChannelThreadFactory(Failures failures, boolean virtual) {
        super("jgroups", true, true);
        this.failures = failures;
        this.use_vthreads = virtual;
    }

    /** For a transport that is not initialised yet: its timer takes the factory then. */
    static void use(TP transport, Failures failures) {
        boolean virtual = transport.useVirtualThreads() && Util.virtualThreadsAvailable();
        transport.setThreadFactory(new ChannelThreadFactory(failures, virtual));
    }

    @Override
    protected Thread newThread(Runnable task, String name, String address, String cluster) {
        if (lasts(name)) {
            return DaemonThreads.of(getThreadName(name, address, cluster), () -> last(name, task));
        }
        return use_vthreads
                ? super.newThread(task, name, address, cluster)
                : DaemonThreads.of(getThreadName(name, address, cluster), task);
    }

    private static boolean lasts(String name) {
        return LASTING.stream().anyMatch(name::startsWith);
    }

    private void last(String name, Runnable task) {
        while (!failures.attempt("running JGroups' thread " + name, task)) {
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }
}
