package io.understudy.ordering;

import java.util.ArrayList;
import java.util.List;
import org.jgroups.BytesMessage;
import org.jgroups.Message;

/**
 * Messages of several scopes that are sent as one, so that they share what a message costs; {@link SCOPE} takes them apart
 * again. Each keeps its own place. The message's payload is theirs, one after the other.
 *
 * <p>Threads: one at a time.
 */
public final class ScopedBatch {

    private final List<ScopeHeader> places = new ArrayList<>();
    private final List<byte[]> payloads = new ArrayList<>();
    private int bytes;

    /** Appends a message; of those of one scope the ones numbered first come first. */
    public void add(ScopeHeader place, byte[] payload) {
        places.add(place);
        payloads.add(payload);
        bytes += payload.length + ScopesHeader.sizeOf(place, payload.length);
    }

    /** Whether there is nothing in it. */
    public boolean isEmpty() {
        return places.isEmpty();
    }

    /** Bytes of the payloads and of the places. */
    public int bytes() {
        return bytes;
    }

    /** All of it as one message to all members, which is without flags yet; the batch is empty then. */
    public Message take() {
        Message message = places.size() == 1
                ? new BytesMessage(null, payloads.get(0)).putHeader(SCOPE.ID, places.get(0))
                : joined();
        places.clear();
        payloads.clear();
        bytes = 0;
        return message;
    }

    private Message joined() {
        int[] lengths = payloads.stream().mapToInt(payload -> payload.length).toArray();
        int length = 0;
        for (int each : lengths) {
            length += each;
        }
        byte[] joined = new byte[length];
        int at = 0;
        for (byte[] payload : payloads) {
            System.arraycopy(payload, 0, joined, at, payload.length);
            at += payload.length;
        }
        return new BytesMessage(null, joined)
                .putHeader(SCOPE.ID, new ScopesHeader(places.toArray(ScopeHeader[]::new), lengths));
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
                    + " bytes, of which " + messages.size() + " take " + at + "; it can't be taken apart");
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
