package io.understudy.network.multicast;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jgroups.util.UUID;

/**
 * What one multicast datagram holds.
 *
 * <pre>
 * datagram = magic:2 version:1 kind:1 sender:16 nameLength:2 name payload
 * sender   = the channel's address
 * name     = of the cluster, UTF-8
 * payload  = a packet of JGroups, as over TCP      ; kind 1
 *          | sent:8 zero*                          ; kind 2, a small beacon, and 3, a large one; milliseconds of the sender's own clock
 * </pre>
 *
 * <p>Who is not in the cluster reads no further than its name.
 */
final class Datagram {

    static final short MAGIC = 0x5544;
    static final byte VERSION = 1;

    /** Bytes before the name. */
    private static final int FIXED = 22;

    enum Kind {
        DATA(1),
        SMALL(2),
        LARGE(3);

        private final byte code;

        Kind(int code) {
            this.code = (byte) code;
        }

        private static Kind of(byte code) throws Malformed {
            for (Kind kind : values()) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new Malformed("kind " + code);
        }
    }

    /** It is not a datagram of any cluster. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        private Malformed(String message) {
            super(message, null, false, false);
        }
    }

    /** It is of another cluster. */
    static final class Foreign extends Exception {
        private static final long serialVersionUID = 1;

        private Foreign() {
            super("of another cluster", null, false, false);
        }
    }

    private final Kind kind;
    private final UUID sender;
    private final byte[] bytes;
    private final int offset;
    private final int length;

    private Datagram(Kind kind, UUID sender, byte[] bytes, int offset, int length) {
        this.kind = kind;
        this.sender = sender;
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    static byte[] name(String cluster) {
        return cluster.getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes before the payload. */
    static int overhead(byte[] name) {
        return FIXED + name.length;
    }

    /** Writes what comes before the payload at the beginning of {@code into}. */
    static void begin(byte[] into, Kind kind, UUID sender, byte[] name) {
        ByteBuffer.wrap(into)
                .putShort(MAGIC)
                .put(VERSION)
                .put(kind.code)
                .putLong(sender.getMostSignificantBits())
                .putLong(sender.getLeastSignificantBits())
                .putShort((short) name.length)
                .put(name);
    }

    /** A beacon of {@code bytes} bytes in all, or more if that is too few. */
    static byte[] beacon(Kind kind, UUID sender, byte[] name, long sentMillis, int bytes) {
        int overhead = overhead(name);
        byte[] beacon = new byte[Math.max(bytes, overhead + Long.BYTES)];
        begin(beacon, kind, sender, name);
        ByteBuffer.wrap(beacon).putLong(overhead, sentMillis);
        return beacon;
    }

    static Datagram read(byte[] bytes, int offset, int length, byte[] name) throws Malformed, Foreign {
        if (length < FIXED) {
            throw new Malformed("too short: " + length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        if (in.getShort() != MAGIC || in.get() != VERSION) {
            throw new Malformed("no datagram of Understudy's, version " + VERSION);
        }
        Kind kind = Kind.of(in.get());
        UUID sender = new UUID(in.getLong(), in.getLong());
        int nameLength = Short.toUnsignedInt(in.getShort());
        if (nameLength > in.remaining()) {
            throw new Malformed("a name of " + nameLength + " bytes in " + length);
        }
        int nameAt = offset + FIXED;
        if (!Arrays.equals(bytes, nameAt, nameAt + nameLength, name, 0, name.length)) {
            throw new Foreign();
        }
        int payload = length - FIXED - nameLength;
        if (kind != Kind.DATA && payload < Long.BYTES) {
            throw new Malformed("a beacon of " + length + " bytes");
        }
        return new Datagram(kind, sender, bytes, nameAt + nameLength, payload);
    }

    Kind kind() {
        return kind;
    }

    UUID sender() {
        return sender;
    }

    /** What holds the payload, as it came in: others own it. */
    byte[] bytes() {
        return bytes;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /** When a beacon was sent, by its sender's clock. */
    long sentMillis() {
        return ByteBuffer.wrap(bytes).getLong(offset);
    }
}
