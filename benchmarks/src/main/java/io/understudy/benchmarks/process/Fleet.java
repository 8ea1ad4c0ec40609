package io.understudy.benchmarks.process;

import io.understudy.testkit.Await;
import io.understudy.testkit.netns.Jvm;
import io.understudy.testkit.netns.Network;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Members as JVMs, each in a network namespace of its own, driven from here.
 *
 * <p>Threads: one, the experiment's; {@link #all} asks every member at once.
 */
public final class Fleet implements AutoCloseable {

    /** More options for the members' JVMs, as one text: a profiler's, for example. */
    private static final String OPTIONS = "understudy.experiments.options";

    /** How long members may take to start, in seconds. */
    private static final long START_SECONDS = 60;

    /** How long an answer may take at most, in seconds: above any single measurement. */
    private static final long ANSWER_SECONDS = 180;

    private static final Duration END = Duration.ofSeconds(10);

    /**
     * A member's program.
     *
     * @param host index of the network's host that it runs on
     * @param main gets the socket, the member's index, its host's address, the number of hosts, then {@code arguments}
     */
    public record Program(int host, String classPath, List<String> options, Class<?> main, List<String> arguments) {}

    private record Line(SocketChannel channel, BufferedReader in, Writer out) {}

    private final Network network;
    private final Path directory;
    private final List<Jvm> jvms = new ArrayList<>();
    private final Line[] lines;
    private final ExecutorService threads;

    private Fleet(int hosts, int members) throws IOException {
        network = Network.of(hosts);
        directory = Files.createTempDirectory("understudy");
        lines = new Line[members];
        threads = Executors.newFixedThreadPool(members + 1, task -> {
            Thread thread = new Thread(task, "fleet");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Starts the members.
     *
     * @param main gets the socket, the member's index, its address, the number of members, then {@code arguments}
     * @param log of what they print, one file for each member: this name with the index
     */
    public static Fleet start(int members, List<String> options, Class<?> main, List<String> arguments, Path log)
            throws Exception {
        String classPath = System.getProperty("java.class.path");
        List<Program> programs = IntStream.range(0, members)
                .mapToObj(host -> new Program(host, classPath, options, main, arguments))
                .toList();
        return start(members, programs, log);
    }

    /**
     * Starts members with programs of their own, several of which may be on one host.
     *
     * @param log of what they print, one file for each member: this name with the index
     */
    public static Fleet start(int hosts, List<Program> programs, Path log) throws Exception {
        Fleet fleet = new Fleet(hosts, programs.size());
        try {
            fleet.start(programs, log);
            return fleet;
        } catch (Exception e) {
            fleet.close();
            throw e;
        }
    }

    private void start(List<Program> programs, Path log) throws Exception {
        Path socket = directory.resolve("socket");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Files.createDirectories(log.toAbsolutePath().getParent());
            for (Program program : programs) {
                Network.Host host = network.host(program.host());
                int index = jvms.size();
                List<String> all = new ArrayList<>(List.of(
                        socket.toString(),
                        String.valueOf(index),
                        host.address(),
                        String.valueOf(network.hosts().size())));
                all.addAll(program.arguments());
                Path out = log.resolveSibling(log.getFileName() + "-" + index + ".log");
                List<String> options = concat(program.options());
                jvms.add(host.java(program.classPath(), options, program.main().getName(), all, out));
            }
            for (int i = 0; i < lines.length; i++) {
                SocketChannel channel = within(START_SECONDS, server::accept, "a member to start; see " + log);
                BufferedReader in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
                int index = Integer.parseInt(within(START_SECONDS, in::readLine, "a member's index"));
                lines[index] = new Line(channel, in, Channels.newWriter(channel, StandardCharsets.UTF_8));
            }
        }
    }

    private static List<String> concat(List<String> options) {
        List<String> all = new ArrayList<>(options);
        all.addAll(List.of(System.getProperty(OPTIONS, "").trim().split(" +", 0)));
        all.removeIf(String::isEmpty);
        return all;
    }

    private <T> T within(long seconds, Callable<T> task, String what) throws Exception {
        Future<T> future = threads.submit(task);
        try {
            return future.get(seconds, TimeUnit.SECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            future.cancel(true);
            throw new IllegalStateException("waited " + seconds + " s for " + what, e);
        }
    }

    public Network network() {
        return network;
    }

    public int size() {
        return lines.length;
    }

    /** Ends a member by SIGKILL; returns when its process is gone. */
    public void kill(int member) {
        jvms.get(member).kill();
    }

    /** Asks one member and waits for its answer. */
    public String ask(int member, String... words) throws Exception {
        return within(ANSWER_SECONDS, () -> asked(member, words), "member " + member + ": " + Arrays.toString(words));
    }

    /** Asks all members at once; their answers in order. */
    public List<String> all(String... words) throws Exception {
        List<Future<String>> futures = new ArrayList<>();
        for (int i = 0; i < lines.length; i++) {
            int member = i;
            futures.add(threads.submit(() -> asked(member, words)));
        }
        List<String> answers = new ArrayList<>();
        for (Future<String> future : futures) {
            answers.add(future.get(ANSWER_SECONDS, TimeUnit.SECONDS));
        }
        return answers;
    }

    /** Whether all members answer this. */
    public boolean everywhere(String answer, String... words) {
        return answers(words).stream().allMatch(answer::equals);
    }

    /** Waits until each of so many members has joined all others, as its program reports. */
    public void awaitJoined(int members) {
        Await.until(
                Duration.ofSeconds(START_SECONDS),
                () -> "members are not ready",
                () -> everywhere("true", "joined", String.valueOf(members)));
    }

    /** Whether all members but the first answer this. */
    boolean others(String answer, String... words) {
        return answers(words).stream().skip(1).allMatch(answer::equals);
    }

    /** As {@link #all}, for conditions. */
    public List<String> answers(String... words) {
        try {
            return all(words);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private String asked(int member, String... words) throws IOException {
        Line line = lines[member];
        String question = String.join(" ", words);
        line.out().write(question + "\n");
        line.out().flush();
        String answer = line.in().readLine();
        if (answer == null) {
            throw new IOException("member " + member + " ended at: " + question);
        }
        if (!answer.startsWith("ok ")) {
            throw new IOException("member " + member + " at: " + question + ": " + answer);
        }
        return answer.substring("ok ".length());
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (Line line : lines) {
            if (line != null) {
                line.channel().close();
            }
        }
        try {
            // Members end by themselves then, and a profiler in them writes what it has.
            Await.until(END, () -> "members run on", () -> jvms.stream().noneMatch(Jvm::alive));
        } catch (AssertionError e) {
            System.err.println("killed, as they did not end within " + END.toSeconds() + " s: " + jvms);
        }
        jvms.forEach(Jvm::close);
        network.close();
        Files.deleteIfExists(directory.resolve("socket"));
        Files.deleteIfExists(directory);
    }
}
