package io.understudy.ordering;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jgroups.BytesMessage;
import org.jgroups.Header;
import org.jgroups.Message;

/**
 * Messages of several scopes that are sent as one, so that they share what a message costs; {@link SCOPE} takes them apart
 * again. Each keeps its own place. The message's payload is theirs, one after the other.
 *
 * <p>Threads: one at a time.
 */
public final class ScopedBatch {

    private final int room;
    private final List<ScopeHeader> places = new ArrayList<>();
    private int[] lengths = new int[16];
    private byte[] payload;

    /** Of the payload. */
    private int length;

    private int headerBytes;

    /** @param room bytes of payload to make room for; it grows */
    public ScopedBatch(int room) {
        this.room = room;
        this.payload = new byte[room];
    }

    /**
     * Appends a message; of those of one scope the ones numbered first come first.
     *
     * @param bytes of which the first {@code count} are copied
     */
    public void add(ScopeHeader place, byte[] bytes, int count) {
        if (places.size() == lengths.length) {
            lengths = Arrays.copyOf(lengths, 2 * lengths.length);
        }
        if (payload.length - length < count) {
            payload = Arrays.copyOf(payload, Math.max(room, length + count));
        }
        lengths[places.size()] = count;
        places.add(place); // Where there is no memory for it, nothing has changed.
        System.arraycopy(bytes, 0, payload, length, count);
        length += count;
        headerBytes += ScopesHeader.maxSizeOf(place, count);
    }

    /** Whether there is nothing in it. */
    public boolean isEmpty() {
        return places.isEmpty();
    }

    /** Bytes of the payloads and of the places, at most. */
    public int bytes() {
        return length + headerBytes;
    }

    /** All of it as one message to all members, which is without flags yet; the batch is empty then, also if there was no memory for the message. */
    public Message take() {
        try {
            ScopeHeader[] taken = places.toArray(ScopeHeader[]::new);
            Header header =
                    taken.length == 1 ? taken[0] : new ScopesHeader(taken, Arrays.copyOf(lengths, taken.length));
            return payload().putHeader(SCOPE.ID, header);
        } finally {
            places.clear();
            length = 0;
            headerBytes = 0;
        }
    }

    /** A message is kept until all have it, so it has an array of its length. An array that has grown is given up. */
    private Message payload() {
        boolean whole = length == payload.length;
        byte[] next = whole || payload.length != room ? new byte[room] : payload;
        Message message = new BytesMessage(null, whole ? payload : Arrays.copyOf(payload, length));
        payload = next;
        return message;
    }

    /**
     * The messages in one that bears a header of {@link SCOPE}, each with its {@link ScopeHeader}, the sender and the
     * destination; they share its bytes.
     *
     * @throws IllegalArgumentException if the header and the payload do not fit together
     */
    public static List<Message> apart(Message message) {
        if (!(message.getHeader(SCOPE.ID) instanceof ScopesHeader header)) {
            return List.of(message);
        }
        List<Message> messages = new ArrayList<>(header.count());
        int at = 0;
        for (int i = 0; i < header.count(); i++) {
            int length = header.length(i);
            if (length > message.getLength() - at) {
                break;
            }
            messages.add(new BytesMessage(message.getDest(), message.getArray(), message.getOffset() + at, length)
                    .setSrc(message.getSrc())
                    .putHeader(SCOPE.ID, header.place(i)));
            at += length;
        }
        if (at != message.getLength() || messages.size() != header.count()) {
            throw new IllegalArgumentException("a batch of " + header.count() + " messages in " + message.getLength()
                    + " bytes, but the lengths of " + messages.size() + " add up to " + at + "; the batch can't be "
                    + "split");
        }
        return messages;
    }

    /** A message that keeps only its own bytes; this one if it does already. */
    static Message alone(Message message) {
        if (message.getArray().length == message.getLength()) {
            return message;
        }
        byte[] own = new byte[message.getLength()];
        System.arraycopy(message.getArray(), message.getOffset(), own, 0, own.length);
        return new BytesMessage(message.getDest(), own)
                .setSrc(message.getSrc())
                .putHeader(SCOPE.ID, message.getHeader(SCOPE.ID));
    }
}
