package io.understudy.demo.launcher.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.demo.launcher.frontdoor.Backend;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One node: its process, and whether it is ready.
 *
 * <p>A node is ready only by an answer of its own, to a question asked after its process was started or resumed. It stops
 * being ready the moment it is stopped, paused or killed from here, and the moment its process ends.
 *
 * <p>Threads: any; state guarded by {@code this}, which is not held while waiting for the process.
 */
public final class ClusterNode implements Backend {

    /** How long requests in flight may take before an orderly stop goes on without them, in milliseconds. */
    private static final long DRAIN_MILLIS = 5_000;

    /** How long a process may take to end after SIGTERM before SIGKILL, and after SIGKILL before giving up; milliseconds. */
    private static final long END_MILLIS = 10_000;

    /** How often a node is asked for its number of sessions, at most. */
    private static final long COUNT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = System.getLogger(ClusterNode.class.getName());

    private final NodeSpec spec;
    private final HealthProbe probe;
    private final Set<Exchange> inFlight = ConcurrentHashMap.newKeySet();

    @GuardedBy("this")
    private @Nullable Process process;

    @GuardedBy("this")
    private NodeState state = NodeState.STOPPED;

    @GuardedBy("this")
    private String reason = "not started yet";

    /** Grows with each start and each action: an answer to an older question does not count. */
    @GuardedBy("this")
    private int turn;

    @GuardedBy("this")
    private int starts;

    @GuardedBy("this")
    private int becameReady;

    private volatile long sessions = -1;

    /** When the sessions were counted; used by the health check only. */
    private long counted = System.nanoTime() - COUNT_NANOS;

    ClusterNode(NodeSpec spec) {
        this.spec = spec;
        this.probe = new HealthProbe(spec.healthPort());
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public int httpPort() {
        return spec.arguments().httpPort();
    }

    @Override
    public synchronized boolean ready() {
        return state == NodeState.READY;
    }

    @Override
    public void enters(Exchange exchange) {
        inFlight.add(exchange);
    }

    @Override
    public void leaves(Exchange exchange) {
        inFlight.remove(exchange);
    }

    public synchronized NodeStatus status() {
        Process current = process;
        boolean alive = current != null && current.isAlive();
        return new NodeStatus(
                spec.name(),
                spec.arguments().container(),
                httpPort(),
                spec.healthPort(),
                alive && current != null ? current.pid() : -1,
                state,
                reason,
                alive ? sessions : -1,
                starts,
                becameReady);
    }

    /** Starts the process. */
    public synchronized void start() throws IOException, Refused {
        if (process != null && process.isAlive()) {
            throw new Refused(spec.name() + " runs already, pid " + process.pid());
        }
        Process started =
                new ProcessBuilder(spec.command()).redirectErrorStream(true).start();
        process = started;
        starts++;
        sessions = -1;
        enter(NodeState.STARTING, "the process was started");
        Thread follow = new Thread(() -> follow(started), "follow-" + spec.name());
        follow.setDaemon(true);
        follow.start();
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill() throws Refused, InterruptedException {
        Process victim;
        synchronized (this) {
            victim = running();
            enter(NodeState.DEAD, "killed");
            victim.destroyForcibly();
        }
        victim.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Takes the node from the front door, waits for its requests, then SIGTERM; returns when the process is gone. */
    public void stop() throws Refused, InterruptedException {
        Process leaving;
        synchronized (this) {
            leaving = running();
            if (state == NodeState.PAUSED) {
                Signal.CONT.send(leaving);
            }
            enter(NodeState.STOPPING, "waits for " + inFlight.size() + " requests to end");
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_MILLIS);
        while (!inFlight.isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        // By its handle: the process object would close the pipes too, and what the node says while it stops is wanted.
        leaving.toHandle().destroy();
        if (!leaving.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
            leaving.toHandle().destroyForcibly();
            leaving.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
        }
        ended(leaving);
    }

    /** SIGSTOP. */
    public synchronized void pause() throws Refused {
        if (state == NodeState.PAUSED || state == NodeState.STOPPING) {
            throw new Refused(spec.name() + " is " + state.text());
        }
        Signal.STOP.send(running());
        // Its requests stay: it may be resumed in time. The health check abandons them when it is silent for too long.
        enter(NodeState.PAUSED, "stopped by SIGSTOP");
    }

    /** SIGCONT. It is ready again when it reports that itself. */
    public synchronized void resume() throws Refused {
        if (state != NodeState.PAUSED) {
            throw new Refused(spec.name() + " is not paused but " + state.text());
        }
        Signal.CONT.send(running());
        enter(NodeState.NOT_READY, "resumed, not asked yet");
    }

    /** Asks the node once and draws the consequences. Takes up to {@link HealthProbe#TIMEOUT}. */
    void check() throws InterruptedException {
        int asked;
        synchronized (this) {
            if (process == null || !process.isAlive()) {
                return;
            }
            asked = turn;
        }
        HealthProbe.Answer answer = probe.ask();
        synchronized (this) {
            if (asked == turn) {
                judge(answer);
            }
        }
        if (!answer.answered()) {
            inFlight.forEach(Exchange::abandon);
        } else if (answer.ready() && System.nanoTime() - counted > COUNT_NANOS) {
            sessions = probe.sessions();
            counted = System.nanoTime();
        }
    }

    @GuardedBy("this")
    private void judge(HealthProbe.Answer answer) {
        switch (state) {
            case STARTING, READY, NOT_READY -> {
                NodeState before = state;
                if (answer.ready()) {
                    state = NodeState.READY;
                } else if (state == NodeState.READY) {
                    state = NodeState.NOT_READY;
                }
                reason = answer.reason();
                if (state != before) {
                    becameReady += state == NodeState.READY ? 1 : 0;
                    announce();
                }
            }
            case PAUSED, STOPPING, STOPPED, DEAD -> {
                // What was decided here outweighs what the node says.
            }
        }
    }

    private synchronized void ended(Process which) {
        if (which != process || which.isAlive()) {
            return;
        }
        if (state == NodeState.STOPPING) {
            enter(NodeState.STOPPED, "stopped in order");
        } else if (state != NodeState.DEAD && state != NodeState.STOPPED) {
            enter(NodeState.DEAD, "ended by itself with exit code " + which.exitValue());
        }
    }

    @GuardedBy("this")
    private void enter(NodeState next, String why) {
        state = next;
        reason = why;
        turn++;
        announce();
    }

    @GuardedBy("this")
    private void announce() {
        LOG.log(Level.INFO, spec.name() + " - " + state.text() + ": " + reason);
    }

    @GuardedBy("this")
    private Process running() throws Refused {
        Process current = process;
        if (current == null || !current.isAlive()) {
            throw new Refused(spec.name() + " does not run");
        }
        return current;
    }

    /** Copies the process's output until it ends, and takes note of that. */
    private void follow(Process source) {
        try (BufferedReader lines = source.inputReader(StandardCharsets.UTF_8)) {
            String line;
            while ((line = lines.readLine()) != null) {
                System.out.println("[" + spec.name() + "] " + line);
            }
        } catch (IOException e) {
            // The process is gone and its pipe with it.
        }
        try {
            source.waitFor();
            ended(source);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
