package io.understudy.demo.launcher;

import io.understudy.config.ConfigException;
import io.understudy.config.Setting;
import io.understudy.demo.launcher.cluster.DemoCluster;
import io.understudy.demo.launcher.cluster.NodeSpec;
import io.understudy.demo.launcher.cluster.Refused;
import io.understudy.demo.launcher.dashboard.Dashboard;
import io.understudy.demo.launcher.dashboard.Guard;
import io.understudy.demo.launcher.frontdoor.FrontDoor;
import io.understudy.demo.launcher.node.NodeArguments;
import io.understudy.demo.launcher.node.NodeLogging;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * The demo: two Jetty nodes and a Tomcat node as processes of their own in one cluster, a front door and a dashboard in
 * this one, all on loopback. SIGINT, SIGTERM or the end of its parent process ends everything.
 */
public final class Demo {

    /** How long the nodes may take until all are ready, in milliseconds. */
    private static final long START_MILLIS = 180_000;

    /** Nodes by name; the part before the dash is the container. */
    private static final List<String> NODES = List.of("jetty-1", "jetty-2", "tomcat-1");

    private final Map<Option, Integer> ports;
    private final DemoOptions options;
    private final Path work;
    private final DemoCluster cluster;
    private final Server server;
    private final Guard guard = new Guard();

    private Demo(DemoOptions options, Map<Option, Integer> ports, Path war, Path work) {
        this.options = options;
        this.ports = ports;
        this.work = work;
        this.cluster = new DemoCluster(IntStream.range(0, NODES.size())
                .mapToObj(index -> spec(index, war))
                .toList());
        this.server = new Server();
        HttpConfiguration http = new HttpConfiguration();
        // The answering node's own Server header is shown.
        http.setSendServerVersion(false);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setPort(port(Option.PORT));
        server.addConnector(connector);
        server.setHandler(new Handler.Sequence(
                new Dashboard(cluster, guard, server.getThreadPool()), new FrontDoor(cluster.nodes())));
    }

    public static void main(String[] args) throws Exception {
        if (Arrays.asList(args).contains("--help")) {
            System.out.print(Option.help());
            return;
        }
        new NodeLogging();
        ParentWatch.start();
        try {
            DemoOptions options = DemoOptions.parse(args);
            Map<Option, Integer> ports = Ports.claim(options);
            Demo demo = new Demo(options, ports, war(), Files.createTempDirectory("understudy-demo"));
            Runtime.getRuntime().addShutdownHook(new Thread(demo::stop, "stop"));
            demo.start();
        } catch (ConfigException | Refused e) {
            System.err.println("Understudy demo: " + e.getMessage());
            System.exit(2);
        }
    }

    private void start() throws Exception {
        System.out.println("Understudy demo: starting " + String.join(", ", NODES) + ", about 10 seconds ...");
        cluster.start();
        server.start();
        cluster.awaitReady(START_MILLIS);
        String address = "http://127.0.0.1:" + port(Option.PORT) + "/";
        System.out.println(String.join(
                System.lineSeparator(),
                "",
                "Understudy demo is ready: " + NODES.size() + " nodes, transport " + options.setting(Setting.TRANSPORT)
                        + ", " + options.setting(Setting.COHERENCE),
                "  shop:      " + address,
                "  dashboard: " + address + "cluster/",
                "  token:     " + guard.token(),
                "",
                "Try this:",
                "  1. Open the shop, log in and fill the cart. The upper right corner shows which node answers.",
                "  2. Kill that node on the dashboard. Its process ends at once, as in a crash.",
                "  3. Reload the shop. Another node answers: you are still logged in, and the cart is as it was.",
                "  4. Start the node again on the dashboard. It gets requests as soon as it holds all sessions.",
                "",
                "Ctrl-C stops everything.",
                ""));
    }

    private void stop() {
        System.out.println("Understudy demo: stopping ...");
        cluster.close();
        try {
            server.stop();
        } catch (Exception e) {
            System.err.println("Understudy demo: the front door stopped with an error: " + e);
        }
        deleteWork();
        System.out.println("Understudy demo: stopped.");
    }

    private NodeSpec spec(int index, Path war) {
        String name = NODES.get(index);
        Map<String, String> settings = new LinkedHashMap<>();
        // Demos side by side, on other ports, must not find each other by multicast.
        settings.put(Setting.CLUSTER_NAME.key(), "understudy-demo-" + port(Option.PORT));
        settings.put(Setting.DEGRADED_HEADER.key(), "Understudy-Degraded"); // The simulations count by it.
        settings.putAll(options.settings());
        settings.put(Setting.BIND_ADDRESS.key(), "127.0.0.1");
        settings.put(Setting.BIND_PORT.key(), String.valueOf(port(Option.CLUSTER_PORT) + index));
        settings.put(
                Setting.HOSTS.key(),
                IntStream.range(0, NODES.size())
                        .mapToObj(node -> "127.0.0.1:" + (port(Option.CLUSTER_PORT) + node))
                        .collect(Collectors.joining(",")));
        int healthPort = port(Option.HEALTH_PORT) + index;
        settings.put(Setting.HEALTH_PORT.key(), String.valueOf(healthPort));
        return new NodeSpec(
                new NodeArguments(
                        name,
                        name.substring(0, name.indexOf('-')),
                        port(Option.NODE_PORT) + index,
                        war,
                        work.resolve(name),
                        settings),
                healthPort);
    }

    private int port(Option option) {
        return ports.getOrDefault(option, option.defaultPort());
    }

    private static Path war() throws Refused {
        String war = System.getProperty("understudy.demo.war", "");
        Path path = Path.of(war).toAbsolutePath().normalize();
        if (war.isEmpty() || !Files.isRegularFile(path)) {
            throw new Refused(
                    "the shop's WAR is not at '" + war + "': build it (mvn package in the project's root) and "
                            + "name it with -Dunderstudy.demo.war=<file>");
        }
        return path;
    }

    private void deleteWork() {
        try (Stream<Path> files = Files.walk(work)) {
            List<Path> deepestFirst = new ArrayList<>(files.toList());
            deepestFirst.sort(Comparator.reverseOrder());
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("Understudy demo: can't delete " + work + ": " + e.getMessage());
        }
    }
}
