package io.understudy.benchmarks.peers.node;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A container with one way to replicate its sessions, or with none: what experiment {@code peers} compares. */
public enum Product {
    TOMCAT(Container.TOMCAT, Replication.NONE, "Tomcat"),
    DELTA_ASYNC(Container.TOMCAT, Replication.TRIBES, "DeltaManager, async"),
    DELTA_SYNC(Container.TOMCAT, Replication.TRIBES, "DeltaManager, sync"),
    BACKUP(Container.TOMCAT, Replication.TRIBES, "BackupManager"),
    TOMCAT_INCOHERENT(Container.TOMCAT, Replication.UNDERSTUDY, "Understudy, incoherent"),
    TOMCAT_COHERENT(Container.TOMCAT, Replication.UNDERSTUDY, "Understudy, coherent"),
    JETTY(Container.JETTY, Replication.NONE, "Jetty"),
    INFINISPAN(Container.JETTY, Replication.INFINISPAN, "Infinispan"),
    /** Only so does a node see what another one has written to a session that it has used itself. */
    INFINISPAN_EVICTING(Container.JETTY, Replication.INFINISPAN, "Infinispan, sessions evicted"),
    JETTY_INCOHERENT(Container.JETTY, Replication.UNDERSTUDY, "Understudy, incoherent"),
    JETTY_COHERENT(Container.JETTY, Replication.UNDERSTUDY, "Understudy, coherent");

    /** The server that products of one kind run in. */
    public enum Container {
        TOMCAT("Tomcat", "tomcat-embed- tomcat-annotations-api-"),
        JETTY(
                "Jetty",
                "jetty-ee jetty-http- jetty-io- jetty-security- jetty-server- jetty-session- jetty-util- jakarta.servlet-api- slf4j-api-");

        private final String label;
        private final String jars;

        Container(String label, String jars) {
            this.label = label;
            this.jars = jars;
        }

        public String label() {
            return label;
        }

        /** Its products; the first is the reference, which does not replicate. */
        public List<Product> products() {
            return Arrays.stream(Product.values())
                    .filter(product -> product.container == this)
                    .toList();
        }
    }

    /** What replicates the sessions, with the jars that it needs: how their names begin, or the module's directory. */
    private enum Replication {
        NONE(""),
        TRIBES("tomcat-catalina-ha- tomcat-tribes-"),
        UNDERSTUDY(
                "understudy-core- understudy-tomcat- understudy-jetty- session-core tomcat-adapter jetty-adapter jgroups- kryo- reflectasm-"
                        + " minlog- objenesis- caffeine- HdrHistogram- jspecify-"),
        /** With a JGroups of its own, which the build copies under this name. */
        INFINISPAN(
                "infinispan- jetty-infinispan- protostream- caffeine- jboss- rxjava- reactive-streams- wildfly-common- jackson-core-"
                        + " jakarta.transaction-api-");

        private final String jars;

        Replication(String jars) {
            this.jars = jars;
        }
    }

    /** The nodes' own classes; of the rest of that directory none is loaded. */
    private static final String NODE = "benchmarks understudy-benchmarks-";

    private final Container container;
    private final Replication replication;
    private final String label;

    Product(Container container, Replication replication, String label) {
        this.container = container;
        this.replication = replication;
        this.label = label;
    }

    /** As it is written in names of rounds and figures. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String label() {
        return label;
    }

    public boolean replicates() {
        return replication != Replication.NONE;
    }

    public boolean understudy() {
        return replication == Replication.UNDERSTUDY;
    }

    /**
     * Whether the second node starts when the first one serves. Two that start at once may wait for each other's
     * sessions for a minute (DeltaManager), or form a cluster each, which merge up to a minute later (Infinispan).
     */
    boolean startsInTurn() {
        return replication == Replication.TRIBES || replication == Replication.INFINISPAN;
    }

    /** Whether a response waits for the other node, and Understudy promises that the change is there. */
    public boolean coherent() {
        return this == TOMCAT_COHERENT || this == JETTY_COHERENT;
    }

    /** Whether a node that has used a session shows what another one wrote to it later. */
    public boolean visible() {
        return replicates() && this != INFINISPAN;
    }

    /** The part of this JVM's class path that a node of the product needs; {@code separator} is between its entries. */
    public String classPath(String all, String separator) {
        List<String> wanted = Stream.of(NODE, container.jars, replication.jars)
                .flatMap(jars -> Arrays.stream(jars.split(" ", -1)))
                .filter(jar -> !jar.isEmpty())
                .toList();
        return Arrays.stream(all.split(separator, -1))
                .filter(entry -> !entry.endsWith("-tests.jar"))
                .filter(entry -> wanted.stream().anyMatch(name(entry)::startsWith))
                .collect(Collectors.joining(separator));
    }

    /** A jar's name; of a module's {@code target/classes} the module's. */
    private static String name(String entry) {
        String path = entry.replaceFirst("/target/(test-)?classes/?$", "");
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
