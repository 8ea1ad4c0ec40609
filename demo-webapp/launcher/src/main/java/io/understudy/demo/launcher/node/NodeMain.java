package io.understudy.demo.launcher.node;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * The main class of a node process.
 *
 * <p>It serves until SIGTERM, or until its standard input ends: that is a pipe to the launcher, so a node never outlives
 * it, however the launcher ended.
 */
public final class NodeMain {

    /** How long an orderly stop may take, in milliseconds; then the process ends anyway. */
    private static final long STOP_MILLIS = 8_000;

    private static final Logger LOG = System.getLogger(NodeMain.class.getName());

    private NodeMain() {}

    public static void main(String[] args) {
        NodeArguments arguments = NodeArguments.parse(args);
        // The shop shows it.
        System.setProperty("understudy.demo.node", arguments.name());
        daemon("lifeline", () -> {
            awaitEndOfInput();
            stopOrHalt();
        });
        try {
            Container container = start(arguments);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(arguments, container), "stop"));
        } catch (Throwable e) {
            // Whatever it is, a node that serves nothing must not stay.
            LOG.log(Level.ERROR, arguments.name() + " - can't start: " + e.getMessage(), e);
            System.exit(1);
        }
    }

    private static Container start(NodeArguments arguments) throws Exception {
        return switch (arguments.container()) {
            case "jetty" -> JettyContainer.start(arguments);
            case "tomcat" -> TomcatContainer.start(arguments);
            default ->
                throw new IllegalArgumentException(
                        "container must be 'jetty' or 'tomcat', was '" + arguments.container() + "'");
        };
    }

    private static void stop(NodeArguments arguments, Container container) {
        try {
            container.stop();
        } catch (Exception e) {
            LOG.log(Level.WARNING, arguments.name() + " - stopped with an error", e);
        }
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // Nobody writes; only the end counts.
            }
        } catch (IOException e) {
            // A broken pipe is an end too.
        }
    }

    private static void stopOrHalt() {
        daemon("halt", () -> {
            try {
                Thread.sleep(STOP_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(1);
        });
        System.exit(0);
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
