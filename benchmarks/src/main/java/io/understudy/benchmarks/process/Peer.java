package io.understudy.benchmarks.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * One member of an experiment's cluster, a JVM of its own. It gets commands over a Unix domain socket, which reaches
 * into every network namespace, and ends when that is closed.
 *
 * <pre>
 * request := word (SP word)* LF
 * answer  := ("ok" | "error") SP text LF
 * </pre>
 */
public final class Peer {

    /** What a member does. */
    public interface Actor {
        /** Does what {@code words} ask, in the thread that reads them; the answer is one line. */
        String act(List<String> words) throws Exception;
    }

    private Peer() {}

    /**
     * Reads and answers until the other side closes.
     *
     * @param socket path of the experiment's socket
     * @param index which member this is, from 0 on
     */
    public static void serve(String socket, int index, Actor actor) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            Writer out = Channels.newWriter(channel, StandardCharsets.UTF_8);
            BufferedReader in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            write(out, String.valueOf(index));
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                write(out, answer(actor, line));
            }
        }
    }

    private static String answer(Actor actor, String line) {
        try {
            return "ok " + actor.act(Arrays.asList(line.split(" ", -1)));
        } catch (Exception e) {
            e.printStackTrace(); // To this process's log.
            return "error " + String.valueOf(e).replace('\n', ' ');
        }
    }

    private static void write(Writer out, String line) throws IOException {
        out.write(line + "\n");
        out.flush();
    }
}
