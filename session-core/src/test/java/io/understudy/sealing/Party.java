package io.understudy.sealing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A member that talks to one other by hand, frame by frame. */
final class Party implements Sealing.Reader {

    static final String SECRET = "a secret of the tests";

    /** Each takes some tenths of a second. */
    private static final Map<String, ClusterKey> KEYS = new ConcurrentHashMap<>();

    final Sealing sealing;
    final List<String> read = new ArrayList<>();
    final List<Refusal> refused = new ArrayList<>();
    final Deque<byte[]> replies = new ArrayDeque<>();
    int answered;
    int refusedThere;

    Party(Sealing sealing) {
        this.sealing = sealing;
    }

    static Party of(String secret, String former) {
        return of(secret, former, Seal.MAX_FRAMES);
    }

    static Party of(String secret, String former, long framesPerSalt) {
        return new Party(new Sealing(
                Stream.of(secret, former)
                        .filter(each -> !each.isEmpty())
                        .map(each -> KEYS.computeIfAbsent(each, known -> ClusterKey.of(known, "tests")))
                        .toList(),
                framesPerSalt));
    }

    byte[] seal(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return sealing.seal(MessageKind.TRANSPORT, bytes, 0, bytes.length);
    }

    void hear(FramePath way, byte[] frame) {
        hear(MessageKind.TRANSPORT, way, frame);
    }

    void hear(MessageKind kind, FramePath way, byte[] frame) {
        sealing.read(kind, way, frame, 0, frame.length, this);
    }

    void hear(byte[] frame) {
        hear(FramePath.DATAGRAM, frame);
    }

    /** Until neither has anything to say. */
    void talk(Party other) {
        while (!replies.isEmpty() || !other.replies.isEmpty()) {
            while (!replies.isEmpty()) {
                other.hear(replies.remove());
            }
            while (!other.replies.isEmpty()) {
                hear(other.replies.remove());
            }
        }
    }

    /** Both know that the other is alive. */
    void meet(Party other) {
        other.hear(seal("hello"));
        talk(other);
        other.refused.clear();
        refused.clear();
    }

    @Override
    public void message(byte[] text) {
        read.add(new String(text, StandardCharsets.UTF_8));
    }

    @Override
    public void reply(byte[] frame, byte @Nullable [] text, boolean answers) {
        replies.add(frame);
        answered += answers ? 1 : 0;
    }

    @Override
    public void refused(Refusal why) {
        refused.add(why);
    }

    @Override
    public void refusedThere() {
        refusedThere++;
    }
}
