package io.understudy.springboot;

import io.understudy.springboot.shop.Deployed;
import io.understudy.springboot.shop.Shop;
import io.understudy.testkit.Await;
import io.understudy.testkit.Browser;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The shop in a JVM of its own, with one of the two servers that are on the class path of the test. It ends with the
 * test's JVM. Threads: one.
 */
final class BootNode implements Browser.Server, AutoCloseable {

    /** The server of a node. */
    enum Container {
        TOMCAT("(jetty|spring-boot-jetty|spring-boot-starter-jetty|jakarta.servlet-api)-.*", Shop.class),
        JETTY(
                "(tomcat-embed-core|tomcat-embed-websocket|spring-boot-tomcat|spring-boot-starter-tomcat)-.*",
                Shop.class),

        /** None: the application is for a container, and starts as there. It ends at once. */
        DEPLOYED(
                "(jetty|tomcat-embed|spring-boot-(jetty|tomcat|web-server|starter-(jetty|tomcat)))-.*", Deployed.class);

        private final String others;
        private final Class<?> program;

        /**
         * @param others files that its class path does not have, by a pattern of their names
         * @param program what its JVM runs
         */
        Container(String others, Class<?> program) {
            this.others = others;
            this.program = program;
        }

        private String classPath() {
            String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            return Arrays.stream(all.split(File.pathSeparator, -1))
                    .filter(entry -> !new File(entry).getName().matches(others))
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** Above what failing takes on a busy machine. */
    private static final Duration LIMIT = Await.LIMIT;

    private static final String CONTEXT = "/shop";

    private final Process process;

    /** Alive until it has all that the process prints, which may be later than the end of the process. */
    private final Thread reader;

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private int starts;
    private String[] ports = {};

    /**
     * Starts a process; {@link #awaitListening} and {@link #awaitEnd} tell how that goes.
     *
     * @param temporary directory for temporary files
     * @param variables of its environment
     * @param properties each as {@code name=value}
     */
    BootNode(Container container, Path temporary, Map<String, String> variables, String... properties)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-Djava.io.tmpdir=" + temporary,
                "-classpath",
                container.classPath(),
                container.program.getName(),
                "--spring.main.banner-mode=off",
                "--server.port=0",
                "--management.server.port=0",
                "--server.servlet.context-path=" + CONTEXT,
                "--understudy.warm-up=off"));
        for (String property : properties) {
            command.add("--" + property);
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        process = builder.start();
        reader = new Thread(this::read, "output of " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            output.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException e) {
            lines.add("no more output: " + e);
        }
    }

    /** Waits until it serves; fails with what it printed if it ends before that. */
    BootNode awaitListening() {
        starts++;
        Await.until(LIMIT, this::output, () -> listening().size() == starts || !reader.isAlive());
        List<String> listening = listening();
        if (listening.size() < starts) {
            throw new AssertionError("ended with " + awaitEnd() + ": " + output());
        }
        ports = listening.get(starts - 1).substring(Shop.LISTENING.length()).split(" ", 2);
        return this;
    }

    private List<String> listening() {
        return lines.stream().filter(line -> line.startsWith(Shop.LISTENING)).toList();
    }

    /** Waits until it has ended and all is here that it printed, and returns its exit code. */
    int awaitEnd() {
        Await.until(LIMIT, this::output, () -> !process.isAlive() && !reader.isAlive());
        return process.exitValue();
    }

    /** Closes the application in order and starts it again in the same JVM, as developer tools do. */
    BootNode restart() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        return awaitListening();
    }

    /** Closes the application in order, after which the process ends; returns at once. */
    void stop() throws IOException {
        process.getOutputStream().close();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    @Override
    public void close() {
        kill();
    }

    /** All that it printed. */
    String output() {
        return String.join("\n", lines);
    }

    @Override
    public URI uri(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + ports[0] + CONTEXT + pathAndQuery);
    }

    /** The same of its management server, which has no context path. */
    Browser.Server management() {
        return pathAndQuery -> URI.create("http://127.0.0.1:" + ports[1] + pathAndQuery);
    }
}
