package io.understudy.testkit.member;

import io.understudy.testkit.Await;
import io.understudy.testkit.netns.Network;
import io.understudy.testkit.netns.Wiring;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Members on all hosts of a network of their own.
 *
 * <p>{@link #close} ends them and removes the network. Threads: any.
 */
public final class RemoteCluster implements AutoCloseable {

    /** How long up to four members may take to be ready, on a busy machine; more of them take longer. */
    private static final Duration READY = Await.LIMIT;

    private final Network network;
    private final List<RemoteMember> members;

    private RemoteCluster(Network network, List<RemoteMember> members) {
        this.network = network;
        this.members = members;
    }

    /**
     * Members with the same settings, all started, ready and in one view.
     *
     * @param directory for their sockets, files and logs
     */
    public static RemoteCluster start(int members, Path directory, Map<String, String> settings) throws IOException {
        return of(members, (network, index) -> new RemoteMember(network, index, directory, settings))
                .start();
    }

    /** Members that are not started. */
    public static RemoteCluster of(int members, BiFunction<Network, Integer, RemoteMember> member) {
        return of(members, Wiring.USUAL, member);
    }

    /** The same on another network. */
    public static RemoteCluster of(int members, Wiring wiring, BiFunction<Network, Integer, RemoteMember> member) {
        Network network = Network.of(members, wiring);
        return new RemoteCluster(
                network,
                IntStream.range(0, members)
                        .mapToObj(index -> member.apply(network, index))
                        .toList());
    }

    /** Starts all at the same time, and waits until they are whole; if they are not to be, it is closed. */
    public RemoteCluster start() throws IOException {
        boolean whole = false;
        try {
            for (RemoteMember member : members) {
                member.start();
            }
            awaitWhole();
            whole = true;
        } finally {
            if (!whole) {
                close();
            }
        }
        return this;
    }

    public Network network() {
        return network;
    }

    public List<RemoteMember> members() {
        return members;
    }

    public RemoteMember member(int index) {
        return members.get(index);
    }

    public void awaitReady() {
        members.forEach(member -> member.awaitReady(allReady()));
    }

    /**
     * Waits until all are ready and in one view. Members that start at the same time may be ready before they have found
     * each other.
     */
    public void awaitWhole() {
        awaitReady();
        Await.until(
                allReady(),
                () -> members.stream().map(RemoteMember::readiness).toList(),
                () -> members.stream().allMatch(member -> member.figure("members") == members.size()));
        awaitReady();
    }

    /** Members that start at the same moment share the machine. */
    private Duration allReady() {
        return READY.multipliedBy(Math.max(1, members.size() / 4));
    }

    @Override
    public void close() {
        members.forEach(RemoteMember::close);
        network.close();
    }
}
