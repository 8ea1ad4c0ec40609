package io.understudy.testkit.member;

import io.understudy.NodeFigures;
import io.understudy.config.Setting;
import io.understudy.config.UnderstudyConfig;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * A JVM with one node and one application. A test drives it through a Unix domain socket, which works from any network
 * namespace, whatever the faults.
 *
 * <pre>
 * Member control=&lt;socket&gt; risk=&lt;file&gt; ended=&lt;file&gt; [clock=&lt;milliseconds&gt;] [setting=value ...]
 * </pre>
 *
 * <p>{@code clock} is how far the clock on its wall is ahead of the machine's.
 *
 * <p>It ends when its standard input ends, so it does not outlive its starter.
 */
public final class Member {

    /** Between two readings of the gauge, in milliseconds. */
    private static final long GAUGE_MILLIS = 10;

    /** Between two looks for sessions that are to expire, in milliseconds. */
    private static final long EXPIRY_MILLIS = 100;

    private final Deployment deployment;
    private final WallClock clock;
    private final RiskGauge risk;
    private final EndLog ends;
    private final KillSwitch killSwitch;
    private final HeapGauge heap = HeapGauge.start();

    private Member(Deployment deployment, WallClock clock, RiskGauge risk, EndLog ends, KillSwitch killSwitch) {
        this.deployment = deployment;
        this.clock = clock;
        this.risk = risk;
        this.ends = ends;
        this.killSwitch = killSwitch;
    }

    public static void main(String[] args) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            settings.put(arg.substring(0, equals), arg.substring(equals + 1));
        }
        Path control = Path.of(settings.remove("control"));
        RiskGauge risk = RiskGauge.open(Path.of(settings.remove("risk")));
        KillSwitch killSwitch = new KillSwitch();
        EndLog ends = EndLog.open(Path.of(settings.remove("ended")), killSwitch);
        WallClock clock = new WallClock(Long.parseLong(settings.getOrDefault("clock", "0")));
        settings.remove("clock");
        if (Arrays.stream(Setting.values()).anyMatch(setting -> setting.key().equals("warmUp"))) {
            settings.putIfAbsent("warmUp", "off"); // A release that was kept may not have it.
        }
        thread("starter", Member::endWithStarter);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Deployment deployment = new Deployment(UnderstudyConfig.fromProperties(settings), clock);
            deployment.start();
            Member member = new Member(deployment, clock, risk, ends, killSwitch);
            server.bind(UnixDomainSocketAddress.of(control));
            thread("gauge", member::readGauge);
            thread("expiry", member::expire);
            while (true) {
                SocketChannel connection = server.accept();
                thread("requests", () -> member.serve(connection));
            }
        }
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void endWithStarter() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            System.err.println("standard input: " + e);
        }
        Runtime.getRuntime().halt(0);
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(connection)));
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(connection)));
            while (true) {
                List<String> words = Call.read(in);
                Call.Operation operation = Call.Operation.valueOf(words.get(0));
                Call.write(out, answer(operation, words.subList(1, words.size())));
                out.flush();
            }
        } catch (EOFException e) {
            return; // The asker went.
        } catch (IOException | RuntimeException e) {
            System.err.println("a connection ended: " + e);
        }
    }

    private List<String> answer(Call.Operation operation, List<String> words) {
        return switch (operation) {
            case HEAP -> heap();
            case CLOCK -> done(() -> clock.set(Long.parseLong(words.get(0))));
            case LAST_END -> done(() -> killSwitch.last(Integer.parseInt(words.get(0))));
            case MAY_DIE -> done(killSwitch::mayDie);
            case START -> done(deployment::start);
            case STOP -> done(deployment::stop);
            case UNDEPLOY -> done(deployment::undeploy);
            default ->
                deployment.within(
                        (node, sessions) -> new Requests(node, sessions, risk, ends).answer(operation, words),
                        () -> List.of(Result.UNAVAILABLE.name(), "not deployed"));
        };
    }

    private static List<String> done(Runnable work) {
        work.run();
        return List.of(Result.OK.name());
    }

    private List<String> heap() {
        Heap now = heap.read();
        return List.of(Result.OK.name(), String.valueOf(now.used()), String.valueOf(now.peak()));
    }

    private void readGauge() {
        try {
            while (true) {
                // Responses first: a write whose response was counted is in the gauge, or held by all.
                long responses = risk.responses();
                long bytes = risk.bytes();
                long[] now = deployment.within((node, sessions) -> NodeFigures.atRisk(node), () -> new long[2]);
                risk.record(new RiskGauge.Reading(System.currentTimeMillis(), responses, bytes, now[0], now[1]));
                Thread.sleep(GAUGE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void expire() {
        Executor threads = Executors.newFixedThreadPool(RemoteMember.EXPIRY_THREADS, task -> {
            Thread thread = new Thread(task, "expiring");
            thread.setDaemon(true);
            return thread;
        });
        try {
            while (true) {
                deployment.within(
                        (node, sessions) -> new Requests(node, sessions, risk, ends).expire(threads, deployment::open),
                        () -> 0);
                Thread.sleep(EXPIRY_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
