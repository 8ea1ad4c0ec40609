package io.understudy.testkit.member;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one process of a {@link Member}.
 *
 * <p>Threads: any number at once, each over a connection of its own, which later calls use again.
 */
final class MemberCalls {

    private record Connection(SocketChannel channel, DataInputStream in, DataOutputStream out) {

        static Connection to(Path socket) throws IOException {
            SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            return new Connection(
                    channel,
                    new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel))),
                    new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel))));
        }
    }

    private final Path socket;
    private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

    /** @param socket which the process listens at, as soon as it does */
    MemberCalls(Path socket) {
        this.socket = socket;
    }

    /** Whether the process has begun to listen. */
    boolean possible() {
        return Files.exists(socket);
    }

    /** Returns the answer; one with a result that says so if there is none. */
    Answer ask(Call.Operation operation, List<String> words) {
        Connection connection = idle.poll();
        boolean asked = false;
        try {
            if (connection == null) {
                connection = Connection.to(socket);
            }
            List<String> request = new ArrayList<>(List.of(operation.name()));
            request.addAll(words);
            Call.write(connection.out(), request);
            connection.out().flush();
            asked = true;
            Answer answer = Answer.of(Call.read(connection.in()));
            idle.add(connection);
            return answer;
        } catch (IOException e) {
            close(connection);
            // Nothing was done without a connection, or over one that ended before it had taken the whole request.
            return new Answer(asked ? Result.UNKNOWN : Result.UNAVAILABLE, List.of(e.toString()));
        }
    }

    /** Closes the connections that no call uses. */
    void closeIdle() {
        for (Connection each = idle.poll(); each != null; each = idle.poll()) {
            close(each);
        }
    }

    private static void close(@Nullable Connection connection) {
        try {
            if (connection != null) {
                connection.channel().close();
            }
        } catch (IOException e) {
            // It was broken already.
        }
    }
}
