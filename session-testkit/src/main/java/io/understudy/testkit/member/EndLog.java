package io.understudy.testkit.member;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What a member's listeners were told about sessions that ended, in a file that outlives a SIGKILL. A line is in the file
 * before the listener returns.
 *
 * <pre>
 * file  = line*                    ; a last line that was cut is not one
 * line  = nanos SP cause SP key SP id LF
 * cause = "invalidated" | "expired"
 * </pre>
 *
 * <p>Threads: any.
 */
final class EndLog {

    private final FileChannel file;
    private final KillSwitch killSwitch;

    private EndLog(FileChannel file, KillSwitch killSwitch) {
        this.file = file;
        this.killSwitch = killSwitch;
    }

    /**
     * Goes on at its end, if it is there.
     *
     * @param killSwitch learns of each line that is in the file
     */
    static EndLog open(Path path, KillSwitch killSwitch) throws IOException {
        return new EndLog(FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND), killSwitch);
    }

    /**
     * A listener is told.
     *
     * @throws UncheckedIOException if it can't be written
     */
    synchronized void told(String cause, String key, String id) {
        String line = System.nanoTime() + " " + cause + " " + key + " " + id + "\n";
        try {
            ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                file.write(bytes);
            }
            killSwitch.noted();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All that was told, in order; nothing if there is no such file. */
    static List<Ended> read(Path path) throws IOException {
        if (!Files.exists(path)) {
            return List.of();
        }
        String text = Files.readString(path);
        List<Ended> all = new ArrayList<>();
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            String[] words = line.split(" ", 4);
            all.add(new Ended(Long.parseLong(words[0]), words[1], words[2], words[3]));
        }
        return all;
    }
}
