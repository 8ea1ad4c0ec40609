package io.understudy.benchmarks.peers.node;

import io.understudy.benchmarks.process.Peer;
import io.understudy.benchmarks.process.ProcessUsage;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import io.understudy.config.session.Coherence;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A node of a {@link Product}, in a JVM whose class path has what that product needs and no more: what is of one
 * product only is in classes of its own.
 *
 * <pre>
 * ProductNode SOCKET INDEX ADDRESS HOSTS PRODUCT DIRECTORY
 * </pre>
 */
public final class ProductNode implements Peer.Actor {

    public static final int HTTP_PORT = 8080;

    /** On which nodes talk to each other. */
    static final int CLUSTER_PORT = 7800;

    private static final int START_LOOKS = 300;
    private static final long LOOK_MILLIS = 100;

    private final ProcessUsage usage = new ProcessUsage();

    private ProductNode() {}

    public static void main(String[] args) throws Exception {
        String address = args[2];
        int hosts = Integer.parseInt(args[3]);
        Path directory = Files.createDirectories(Path.of(args[5]));
        Product product = Product.valueOf(args[4]);
        if (product.startsInTurn() && !host(address, 0).equals(address)) {
            awaitStart(host(address, 0));
        }
        switch (product) {
            case TOMCAT -> TomcatNode.start(address, directory);
            case DELTA_ASYNC -> TribesSessions.delta(TribesSessions.ASYNC, address, hosts, directory);
            case DELTA_SYNC -> TribesSessions.delta(TribesSessions.SYNC, address, hosts, directory);
            case BACKUP -> TribesSessions.backup(address, hosts, directory);
            case TOMCAT_INCOHERENT -> UnderstudyOnTomcat.start(Coherence.INCOHERENT, address, hosts, directory);
            case TOMCAT_COHERENT -> UnderstudyOnTomcat.start(Coherence.COHERENT, address, hosts, directory);
            case JETTY -> JettyNode.start(address);
            case INFINISPAN -> InfinispanSessions.start(address, hosts, false);
            case INFINISPAN_EVICTING -> InfinispanSessions.start(address, hosts, true);
            case JETTY_INCOHERENT -> UnderstudyOnJetty.start(Coherence.INCOHERENT, address, hosts);
            case JETTY_COHERENT -> UnderstudyOnJetty.start(Coherence.COHERENT, address, hosts);
        }
        Peer.serve(args[0], Integer.parseInt(args[1]), new ProductNode());
        System.exit(0);
    }

    private static void awaitStart(String first) throws InterruptedException {
        for (int i = 0; i < START_LOOKS && !listens(first); i++) {
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private static boolean listens(String address) {
        try (Socket socket = new Socket(address, HTTP_PORT)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /** The address of a host of the network that this one is of. */
    public static String host(String address, int index) {
        return address.substring(0, address.lastIndexOf('.') + 1) + (1 + index);
    }

    /** Understudy as it is by default, but for the mode; unprotected, as its peers are. */
    static UnderstudyConfig understudy(Coherence coherence, String address, int hosts) {
        return UnderstudyConfig.builder()
                .clusterName("peers")
                .nodeName(address)
                .bind(address, CLUSTER_PORT)
                .hosts(IntStream.range(0, hosts)
                        .mapToObj(host -> host(address, host) + ":" + CLUSTER_PORT)
                        .toArray(String[]::new))
                .set(Setting.SECURITY, "none")
                .coherence(coherence)
                .build();
    }

    @Override
    public String act(List<String> words) throws Exception {
        return switch (words.get(0)) {
            case "usage" -> usage.figures().toString();
            case "cpu" -> String.valueOf(usage.cpuNanos());
            default -> throw new IllegalArgumentException("no verb " + words.get(0));
        };
    }
}
