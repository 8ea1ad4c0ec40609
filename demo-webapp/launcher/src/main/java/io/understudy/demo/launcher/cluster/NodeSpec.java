package io.understudy.demo.launcher.cluster;

import io.understudy.demo.launcher.node.NodeArguments;
import io.understudy.demo.launcher.node.NodeLogging;
import io.understudy.demo.launcher.node.NodeMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a node's process is started.
 *
 * @param healthPort where it answers {@code /ready} and {@code /metrics}
 */
public record NodeSpec(NodeArguments arguments, int healthPort) {

    String name() {
        return arguments.name();
    }

    /** The command: this JVM's own java and class path. */
    List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx512m");
        // Without it, JGroups prefers IPv6 where there is an IPv6 address, and 127.0.0.1 does not match it.
        command.add("-Djava.net.preferIPv4Stack=true");
        command.add("-Djava.util.logging.config.class=" + NodeLogging.class.getName());
        command.add("-classpath");
        command.add(System.getProperty("java.class.path"));
        command.add(NodeMain.class.getName());
        command.addAll(arguments.toArguments());
        return command;
    }
}
