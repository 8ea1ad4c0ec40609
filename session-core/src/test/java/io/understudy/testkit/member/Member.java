package io.understudy.testkit.member;

import io.understudy.NodeFigures;
import io.understudy.ReplicatedSessions;
import io.understudy.Understudy;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JVM with one node and one application, told what to do through a Unix domain socket: that works from any network
 * namespace, whatever the faults.
 *
 * <pre>
 * Member control=&lt;socket&gt; risk=&lt;file&gt; [setting=value ...]
 * </pre>
 *
 * <p>It ends when its standard input ends, so it does not outlive its starter.
 */
public final class Member {

    static final String APPLICATION = "/shop";

    /** Between two readings of the gauge, in milliseconds. */
    private static final long GAUGE_MILLIS = 10;

    /** Between two looks for sessions that are to expire, in milliseconds. */
    private static final long EXPIRY_MILLIS = 250;

    private final Understudy node;
    private final Requests requests;
    private final RiskGauge risk;

    private Member(Understudy node, ReplicatedSessions sessions, RiskGauge risk) {
        this.node = node;
        this.risk = risk;
        this.requests = new Requests(node, sessions, risk);
    }

    public static void main(String[] args) throws IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            settings.put(arg.substring(0, equals), arg.substring(equals + 1));
        }
        Path control = Path.of(settings.remove("control"));
        RiskGauge risk = RiskGauge.open(Path.of(settings.remove("risk")));
        thread("starter", Member::endWithStarter);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            Understudy node = Understudy.start(UnderstudyConfig.fromProperties(settings));
            ReplicatedSessions sessions = node.join(APPLICATION, Member.class::getClassLoader);
            Member member = new Member(node, sessions, risk);
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
                Call.write(out, requests.answer(operation, words.subList(1, words.size())));
                out.flush();
            }
        } catch (EOFException e) {
            return; // The asker went.
        } catch (IOException | RuntimeException e) {
            System.err.println("a connection ended: " + e);
        }
    }

    private void readGauge() {
        try {
            while (true) {
                // Responses first: a write whose response was counted is in the gauge, or held by all.
                long responses = risk.responses();
                long bytes = risk.bytes();
                long[] now = NodeFigures.atRisk(node);
                risk.record(new RiskGauge.Reading(System.currentTimeMillis(), responses, bytes, now[0], now[1]));
                Thread.sleep(GAUGE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void expire() {
        try {
            while (true) {
                requests.expire();
                Thread.sleep(EXPIRY_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
