package io.understudy.network.detection;

import io.understudy.NodeStart;
import io.understudy.config.UnderstudyConfig;
import io.understudy.network.stack.ProtocolStack;
import io.understudy.network.stack.StackCustomizer;
import io.understudy.testkit.Await;
import io.understudy.testkit.LoopbackCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.blocks.cs.BaseServer;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.Protocol;

/** Channels with the node's stack, of which the first one's failure detection is looked at, and ports that answer nothing. */
final class WatchedChannels implements AutoCloseable {

    private final List<JChannel> channels = new ArrayList<>();

    /** Take connections, and answer nothing. Threads of JGroups add to it, too. */
    private final List<ServerSocket> silent = new CopyOnWriteArrayList<>();

    /** @param without the members that have no failure detection by connections; nobody is at its ports */
    void open(List<UnderstudyConfig> configs, Set<Integer> without) throws Exception {
        for (UnderstudyConfig config : configs) {
            List<Protocol> stack =
                    new ArrayList<>((channels.isEmpty() ? NodeStart.first(StackCustomizer.NONE) : StackCustomizer.NONE)
                            .apply(ProtocolStack.of(config)));
            if (without.contains(channels.size())) {
                stack.removeIf(FD_SOCK2.class::isInstance);
            }
            JChannel channel = new JChannel(stack).name(config.nodeName());
            ProtocolStack.finish(channel.getProtocolStack().getTransport());
            channels.add(channel);
        }
        first().setValue(
                        "connect_timeout",
                        Math.toIntExact(Await.LIMIT.multipliedBy(2).toMillis()));
    }

    /** Takes connections at the port where the member listens for failure detection, and answers nothing. */
    void silence(UnderstudyConfig config) throws IOException {
        silence(config.bindPort() + LoopbackCluster.FAILURE_DETECTION);
    }

    void silence(int port) throws IOException {
        silent.add(new ServerSocket(port, 0, InetAddress.getLoopbackAddress()));
    }

    List<JChannel> all() {
        return channels;
    }

    JChannel get(int index) {
        return channels.get(index);
    }

    ServerSocket silent(int index) {
        return silent.get(index);
    }

    /** Takes the last one out, before it was connected. */
    void removeLast() {
        channels.remove(channels.size() - 1).close();
    }

    void connect() throws Exception {
        for (JChannel channel : channels) {
            channel.connect("test");
        }
    }

    FD_SOCK2 first() {
        return channels.get(0).getProtocolStack().findProtocol(FD_SOCK2.class);
    }

    int suspicions() {
        return (int) first().getValue("num_suspect_events");
    }

    void awaitView(int members) {
        JChannel first = channels.get(0);
        Await.until(
                Await.LIMIT,
                () -> "view " + first.getView(),
                () -> first.getView().size() == members);
    }

    /** Waits until the failure detection of the first member has turned to another, and is connected or waits for that. */
    void awaitTurnedTo(int index, String state) {
        Address member = channels.get(index).getAddress();
        FD_SOCK2 detection = first();
        Await.until(
                Await.LIMIT,
                detection::getPingDest,
                () -> detection.getPingDest().startsWith(member + " ")
                        && detection.getPingDest().contains(state));
    }

    /** Ends the failure detection of a member as its process would, without a farewell. */
    void breakOff(int index) {
        FD_SOCK2 dying = channels.get(index).getProtocolStack().findProtocol(FD_SOCK2.class);
        ((BaseServer) dying.getValue("srv")).clearConnections(false);
        dying.stop();
    }

    /** Does something in the thread of the first member that connects. */
    <T> T whereItConnects(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        ((ConnectThread) first().getValue("connecting")).execute(task::run);
        return task.get();
    }

    @Override
    public void close() throws IOException {
        channels.forEach(JChannel::close);
        for (ServerSocket socket : silent) {
            socket.close();
        }
    }
}
