package io.understudy.checks;

import java.util.Locale;

/** What a test needs, by which it is run at one time or another: the tag of its class. */
enum Tier {
    RULES("mvn test", ""),
    CLUSTER("mvn verify", ""),
    CONTAINER("mvn verify", ""),
    PROCESS(
            "mvn verify -Pfull",
            "as root, with iproute2, nftables, tcpdump and dnsmasq, as JVMs get networks of their own"),
    DISTRIBUTION("mvn verify -Pfull", "with Tomcat and Jetty as users download them, fetched by Maven");

    private final String command;
    private final String needs;

    Tier(String command, String needs) {
        this.command = command;
        this.needs = needs;
    }

    /** As it stands in {@code @Tag}. */
    String tag() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How it is run, with what it needs. */
    String howToRun() {
        return needs.isEmpty() ? command : command + ", " + needs;
    }
}
