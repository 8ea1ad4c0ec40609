package io.understudy.testkit.member;

import io.understudy.testkit.Await;
import io.understudy.testkit.netns.Jvm;
import io.understudy.testkit.netns.Network;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Member} on a host of a {@link Network}, seen from the test: asked, frozen, killed and started again.
 *
 * <p>Threads: any number may ask at once, each over a connection of its own.
 */
public final class RemoteMember implements AutoCloseable {

    /** Enough for the reason why a node did not start. */
    private static final int LAST_LINES = 20;

    /** At the end of what a JVM prints of its threads. */
    private static final String END_OF_THREADS = "JNI global ref";

    /** How many sessions a member expires at the same time. */
    public static final int EXPIRY_THREADS = 4;

    private static final int PORT = 7800;
    private static final List<String> OPTIONS = List.of(
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Djava.util.logging.SimpleFormatter.format=%1$tT.%1$tL %4$s %5$s%n");

    private final Network.Host host;
    private final Path directory;
    private final Map<String, String> settings;
    private final List<String> options;
    private volatile MemberCalls calls;
    private volatile Path risk;
    private final Path ended;
    private volatile @Nullable Jvm jvm;
    private volatile @Nullable Path build;
    private int starts;

    /**
     * A member that is not started yet.
     *
     * @param directory for its sockets, files and log
     * @param settings of the node besides name and addresses, and {@code clock}: milliseconds that its clock is ahead
     */
    public RemoteMember(Network network, int index, Path directory, Map<String, String> settings) {
        this(network, index, directory, settings, OPTIONS);
    }

    /** The same with options of its JVM. */
    public RemoteMember(
            Network network, int index, Path directory, Map<String, String> settings, List<String> options) {
        this.host = network.host(index);
        this.directory = directory;
        this.options = List.copyOf(options);
        this.calls = new MemberCalls(directory);
        this.risk = directory;
        this.ended = directory.resolve("node" + (index + 1) + ".ended");
        this.settings = new LinkedHashMap<>();
        this.settings.put("clusterName", "experiment");
        this.settings.put("nodeName", "node" + (index + 1));
        this.settings.put("bindAddress", host.address());
        this.settings.put("bindPort", String.valueOf(PORT));
        if (!settings.containsKey("secret")) {
            this.settings.put("security", "none");
        }
        this.settings.put(
                "hosts",
                network.hosts().stream()
                        .map(each -> each.endpoint() + ":" + PORT)
                        .collect(Collectors.joining(",")));
        this.settings.putAll(settings);
    }

    public String name() {
        return settings.getOrDefault("nodeName", "");
    }

    public int index() {
        return host.index();
    }

    /**
     * From its next start on it is of a build kept from before.
     *
     * @param jar with that build's classes and its {@link Member}; {@code null} for this build
     */
    public synchronized void build(@Nullable Path jar) {
        build = jar;
    }

    /** Starts its process; {@link #awaitReady} returns when it serves. */
    public synchronized void start() throws IOException {
        starts++;
        Files.createDirectories(directory);
        Path control = directory.resolve(name() + "-" + starts + ".sock");
        risk = directory.resolve(name() + "-" + starts + ".risk");
        Files.deleteIfExists(control);
        Files.deleteIfExists(risk);
        if (starts == 1) {
            Files.deleteIfExists(ended);
        }
        calls = new MemberCalls(control);
        List<String> arguments = new ArrayList<>(List.of("control=" + control, "risk=" + risk, "ended=" + ended));
        settings.forEach((name, value) -> arguments.add(name + "=" + value));
        String classPath = System.getProperty("java.class.path");
        jvm = host.java(
                build == null ? classPath : build.toAbsolutePath() + File.pathSeparator + classPath,
                options,
                Member.class.getName(),
                arguments,
                directory.resolve(name() + ".log"));
    }

    /** Its process of now. */
    public Jvm jvm() {
        Jvm running = jvm;
        if (running == null) {
            throw new IllegalStateException(name() + " was not started");
        }
        return running;
    }

    /** The gauge of its process of now, readable also after it was killed. */
    public RiskGauge risk() throws IOException {
        return RiskGauge.open(risk);
    }

    /** SIGKILL. */
    public void kill() {
        jvm().kill();
        calls.closeIdle();
    }

    /**
     * Lets the member kill itself when it notes the end of a session with this number, counted from now on, and after {@link
     * #awaitKilled} is called. So it does not matter how long this JVM stands still.
     *
     * @param number from 1 on
     */
    public void lastEnd(int number) {
        done(Call.Operation.LAST_END, String.valueOf(number));
    }

    /** Returns when it was killed after its {@link #lastEnd}, by SIGKILL. */
    public void awaitKilled() {
        calls.ask(Call.Operation.MAY_DIE, List.of()); // The answer may be lost with the member.
        Await.until(Await.LIMIT, this::readiness, () -> !jvm().alive());
        calls.closeIdle();
    }

    /** A new session with these attributes. */
    public Result create(String id, int idleSeconds, Map<String, String> attributes) {
        return calls.ask(Call.Operation.CREATE, words(List.of(id, String.valueOf(idleSeconds)), attributes))
                .result();
    }

    /** One request that sets attributes; an empty value removes. */
    public Result write(String id, Map<String, String> attributes) {
        return calls.ask(Call.Operation.WRITE, words(List.of(id), attributes)).result();
    }

    /** One request that reads all attributes. */
    public Answer read(String id) {
        return calls.ask(Call.Operation.READ, List.of(id));
    }

    public Result invalidate(String id) {
        return calls.ask(Call.Operation.INVALIDATE, List.of(id)).result();
    }

    public Result rename(String id, String newId) {
        return calls.ask(Call.Operation.RENAME, List.of(id, newId)).result();
    }

    /**
     * One request that adds one to a number.
     *
     * @param millis how long it takes from reading the number to writing it
     */
    public Result increment(String id, String attribute, long millis) {
        return calls.ask(Call.Operation.INCREMENT, List.of(id, attribute, String.valueOf(millis)))
                .result();
    }

    /** Whether it holds all sessions. */
    public boolean ready() {
        Answer answer = calls.ask(Call.Operation.READY, List.of());
        return answer.result() == Result.OK
                && Boolean.parseBoolean(answer.words().get(0));
    }

    /** Why it is ready or not; of a process that has ended, what it printed last. */
    public String readiness() {
        List<String> words = calls.ask(Call.Operation.READY, List.of()).words();
        return name() + ": " + (jvm().alive() ? words : "the process has ended, and printed last:\n" + lastLines());
    }

    private String lastLines() {
        try {
            List<String> lines = Files.readAllLines(directory.resolve(name() + ".log"));
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            return "nothing that can be read: " + e;
        }
    }

    public void awaitReady(Duration limit) {
        try {
            Await.until(limit, this::readiness, this::ready);
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + whatItDoes(), e);
        }
    }

    /** What the threads do of a process that runs and does not answer, and all that it printed before. */
    private String whatItDoes() {
        if (!jvm().alive() || calls.possible()) {
            return "";
        }
        Path log = directory.resolve(name() + ".log");
        jvm().printThreads();
        try {
            Await.that(
                    "it prints what its threads do", () -> Files.readString(log).contains(END_OF_THREADS));
            return "; it runs and does not answer:\n" + Files.readString(log);
        } catch (AssertionError | IOException e) {
            return "; it runs and does not answer, nor tell what its threads do: " + e.getMessage();
        }
    }

    /** Its view, with number and names. */
    public String view() {
        return done(Call.Operation.VIEW).words().get(0);
    }

    /** Counters and gauges; empty if it does not answer. */
    public Map<String, Long> figures() {
        Map<String, Long> figures = new TreeMap<>();
        calls.ask(Call.Operation.FIGURES, List.of())
                .pairs()
                .forEach((name, value) -> figures.put(name, Long.parseLong(value)));
        return figures;
    }

    /** One of {@link #figures()}; -1 if it has none of this name, or does not answer. */
    public long figure(String name) {
        return figures().getOrDefault(name, -1L);
    }

    /** One figure of each. */
    public static List<Long> figures(List<RemoteMember> members, String name) {
        return members.stream().map(member -> member.figure(name)).toList();
    }

    /** Waits, at most {@link Await#LIMIT}, until a figure has these values, one for each member in order. */
    public static void awaitFigures(List<RemoteMember> members, String name, List<Long> expected) {
        Await.until(
                Await.LIMIT,
                () -> name + " are " + figures(members, name) + " instead of " + expected,
                () -> figures(members, name).equals(expected));
    }

    /** Waits until it is ready, in a view of so many. */
    public void awaitReadyAmong(int members, Duration limit) {
        Await.until(limit, () -> readiness() + figures(), () -> ready() && figure("members") == members);
    }

    /** The calls of its listeners for sessions that ended, in order, of all its processes. */
    public List<Ended> ended() {
        try {
            return EndLog.read(ended);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its audit, oldest first, as far back as that goes. */
    public List<Audited> audit() {
        List<String> words = done(Call.Operation.AUDIT).words();
        List<Audited> entries = new ArrayList<>();
        for (int at = 0; at + 4 <= words.size(); at += 4) {
            entries.add(new Audited(words.get(at), words.get(at + 1), words.get(at + 2), words.get(at + 3)));
        }
        return entries;
    }

    /** Collects the garbage of its heap. */
    public Heap heap() {
        List<String> words = done(Call.Operation.HEAP).words();
        return new Heap(Long.parseLong(words.get(0)), Long.parseLong(words.get(1)));
    }

    /** Returns when the node is coherent, or incoherent, whatever it was configured to be. */
    public void turn(boolean coherent) {
        done(Call.Operation.TURN, String.valueOf(coherent));
    }

    /** Sets the clock on its wall. */
    public void clock(Duration aheadOfMachine) {
        done(Call.Operation.CLOCK, String.valueOf(aheadOfMachine.toMillis()));
    }

    /** Its node leaves the cluster in order; the process stays. */
    public void leave() {
        done(Call.Operation.STOP);
    }

    /** Takes the application away from its node. */
    public void undeploy() {
        done(Call.Operation.UNDEPLOY);
    }

    /** After {@link #leave} or {@link #undeploy}. */
    public void deploy() {
        done(Call.Operation.START);
    }

    /**
     * Makes sessions, numbered, with one attribute each.
     *
     * @param bytes of the attribute; 0 for none
     * @param threads that make one after the other
     * @throws IllegalStateException if a creation was not acknowledged
     */
    public void fill(int from, int to, int idleSeconds, int bytes, int threads) {
        String made = done(
                        Call.Operation.FILL,
                        IntStream.of(from, to, idleSeconds, bytes, threads)
                                .mapToObj(String::valueOf)
                                .toArray(String[]::new))
                .words()
                .get(0);
        if (Integer.parseInt(made) != to - from) {
            throw new IllegalStateException(name() + " made " + made + " of " + (to - from) + " sessions");
        }
    }

    /** The id of the session with this number that {@link #fill} made. */
    public static String filled(int number) {
        return Filling.id(number);
    }

    /** How many of the sessions that {@link #fill} made are missing here, and how many hold something else. */
    public long[] check(int from, int to, int bytes) {
        return done(Call.Operation.CHECK, String.valueOf(from), String.valueOf(to), String.valueOf(bytes))
                .words()
                .stream()
                .mapToLong(Long::parseLong)
                .toArray();
    }

    private Answer done(Call.Operation operation, String... words) {
        Answer answer = calls.ask(operation, List.of(words));
        if (answer.result() != Result.OK) {
            throw new IllegalStateException(name() + " at " + operation + ": " + answer);
        }
        return answer;
    }

    /** All sessions it holds with all attributes, by id, but those of {@link #fill}. */
    public Map<String, Map<String, String>> dump() {
        List<String> words = calls.ask(Call.Operation.DUMP, List.of()).words();
        Map<String, Map<String, String>> sessions = new TreeMap<>();
        int at = 0;
        while (at + 1 < words.size()) {
            Map<String, String> attributes = new TreeMap<>();
            int end = at + 2 + 2 * Integer.parseInt(words.get(at + 1));
            for (int i = at + 2; i < end; i += 2) {
                attributes.put(words.get(i), words.get(i + 1));
            }
            sessions.put(words.get(at), attributes);
            at = end;
        }
        return sessions;
    }

    private static List<String> words(List<String> first, Map<String, String> attributes) {
        List<String> words = new ArrayList<>(first);
        attributes.forEach((name, value) -> words.addAll(List.of(name, value)));
        return words;
    }

    @Override
    public void close() {
        calls.closeIdle();
        Jvm running = jvm;
        if (running != null) {
            running.close();
        }
    }
}
