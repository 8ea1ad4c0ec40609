package io.understudy.museum;

import io.understudy.testkit.OwnPorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Two nodes of one web application, which are ready. Threads: one. */
record NodePair(ServerProcess one, ServerProcess other) implements AutoCloseable {

    private static final String READY = "/ready";

    /**
     * Starts both. The application answers {@code /ready}.
     *
     * @param settings of Understudy, beyond those of {@link Membership}
     * @param logs for what each process prints
     */
    static NodePair start(Server server, Server otherServer, Path application, Map<String, String> settings, Path logs)
            throws IOException {
        Membership members = Membership.take();
        ServerProcess one = node(server, application, settings, logs.resolve("one"), members, 0);
        ServerProcess other = node(otherServer, application, settings, logs.resolve("other"), members, 1);
        NodePair pair = new NodePair(one, other);
        try {
            one.awaitReadyAmong(2, READY);
            other.awaitReadyAmong(2, READY);
            return pair;
        } catch (Throwable e) {
            pair.close();
            throw e;
        }
    }

    private static ServerProcess node(
            Server server, Path application, Map<String, String> more, Path files, Membership members, int number)
            throws IOException {
        List<Integer> own = OwnPorts.take(2);
        Map<String, String> settings = members.settings(files.getFileName().toString(), number, own.get(0));
        settings.putAll(more);
        return ServerProcess.start(
                server,
                new ServerProcess.Options(Layout.WAR, files, application, own.get(1), settings),
                FacesLibrary.ofContainer(server));
    }

    @Override
    public void close() {
        one.close();
        other.close();
    }
}
