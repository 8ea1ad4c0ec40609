package io.understudy.wire;

import io.understudy.replica.Stamp;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link WireWriter} wrote. Declared lengths and counts are checked against the bytes that are left before
 * anything is allocated.
 */
final class WireReader {

    private final byte[] buffer;
    private final int end;
    private int offset;

    /** The origins met before, at their index. */
    private long[] origins = new long[2];

    private int originCount;
    private @Nullable Stamp last;
    private boolean relative;

    WireReader(byte[] buffer, int offset, int length) {
        this.buffer = buffer;
        this.offset = offset;
        this.end = offset + length;
    }

    int u8(String what) throws WireFormatException {
        require(1, what);
        return buffer[offset++] & 0xFF;
    }

    long fixed64(String what) throws WireFormatException {
        require(8, what);
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | (buffer[offset++] & 0xFF);
        }
        return value;
    }

    long varint(String what) throws WireFormatException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8(what);
            if (shift == 63 && next > 1) {
                break;
            }
            value |= (long) (next & 0x7F) << shift;
            if ((next & 0x80) == 0) {
                return value;
            }
        }
        throw failure(what + " of at most 64 bits", "a longer number");
    }

    /** A non-negative number up to {@code max}. */
    int number(String what, int max) throws WireFormatException {
        return number("", what, max);
    }

    /** The same; what it is of is put together only for the failure, as most frames have none. */
    private int number(String of, String what, int max) throws WireFormatException {
        long value = varint(what);
        if (value < 0 || value > max) {
            throw failure(of + what + " from 0 to " + max, Long.toUnsignedString(value));
        }
        return (int) value;
    }

    /** A duration in milliseconds. */
    long millis(String what) throws WireFormatException {
        long value = varint(what);
        if (value < 0) {
            throw failure(what + " of at least 0", String.valueOf(value));
        }
        return value;
    }

    /** A count of elements that take at least {@code minBytes} each. */
    int count(String what, int minBytes) throws WireFormatException {
        return number("count of ", what, (end - offset) / minBytes);
    }

    byte[] bytes(String what) throws WireFormatException {
        int length = length(what);
        offset += length;
        return Arrays.copyOfRange(buffer, offset - length, offset);
    }

    private int length(String what) throws WireFormatException {
        int length = number("length of ", what, end - offset);
        require(length, what); // The length itself took bytes.
        return length;
    }

    String text(String what) throws WireFormatException {
        return text(what, length(what));
    }

    /** A text of which few different ones are expected: those that are the same are mostly one object. */
    String name(String what) throws WireFormatException {
        int length = length(what);
        String known = InternedNames.find(buffer, offset, length);
        if (known != null) {
            offset += length;
            return known;
        }
        return InternedNames.keep(text(what, length));
    }

    private String text(String what, int length) throws WireFormatException {
        int from = offset;
        offset += length;
        if (ascii(from, length)) {
            return new String(buffer, from, length, StandardCharsets.ISO_8859_1); // The same, without a decoder.
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(buffer, from, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw failure(what + " in UTF-8", "malformed bytes");
        }
    }

    private boolean ascii(int from, int length) {
        for (int i = from; i < from + length; i++) {
            if (buffer[i] < 0) {
                return false;
            }
        }
        return true;
    }

    boolean bool(String what) throws WireFormatException {
        return number(what, 1) == 1;
    }

    /** The rest is in the form of this version. */
    void version(int version) {
        relative = version >= 2;
    }

    /** The fewest bytes of a stamp. */
    int stampBytes() {
        return relative ? 1 : 9;
    }

    Stamp stamp(String what) throws WireFormatException {
        Stamp before = last;
        Stamp stamp = relative ? relative(what, before) : absolute(what, before);
        last = stamp;
        return stamp;
    }

    private Stamp absolute(String what, @Nullable Stamp before) throws WireFormatException {
        long time = time(what, fixed64(what));
        long origin = origin(what, number("origin of ", what, originCount));
        // What one request wrote mostly bears one stamp.
        return before != null && before.time() == time && before.origin() == origin ? before : new Stamp(time, origin);
    }

    private Stamp relative(String what, @Nullable Stamp before) throws WireFormatException {
        int index = number("origin of ", what, originCount + 1) - 1;
        if (index < 0) {
            if (before == null) {
                throw failure(what + ", the first stamp, with its origin", "the stamp before it");
            }
            return before;
        }
        long origin = origin(what, index);
        if (before == null) {
            return new Stamp(time(what, fixed64(what)), origin);
        }
        long coded = varint(what);
        long difference = (coded >>> 1) ^ -(coded & 1);
        if (difference == 0 && origin == before.origin()) {
            throw failure(what + " unlike the stamp before it", "the same");
        }
        return new Stamp(time(what, before.time() + difference), origin); // An overflow is below 0.
    }

    private long origin(String what, int index) throws WireFormatException {
        if (index == originCount) {
            if (originCount == origins.length) {
                origins = Arrays.copyOf(origins, 2 * originCount);
            }
            origins[originCount++] = fixed64(what);
        }
        return origins[index];
    }

    private long time(String what, long time) throws WireFormatException {
        if (time < 0 || time > Stamp.MAX_TIME) {
            throw failure(what + " with a time from 0 to " + Stamp.MAX_TIME, String.valueOf(time));
        }
        return time;
    }

    void end() throws WireFormatException {
        if (offset != end) {
            throw failure("the end of the frame", (end - offset) + " more bytes");
        }
    }

    WireFormatException failure(String expected, String actual) {
        return new WireFormatException(offset, expected, actual);
    }

    private void require(int bytes, String what) throws WireFormatException {
        if (end - offset < bytes) {
            throw failure(what + " (" + bytes + " bytes)", "only " + (end - offset) + " bytes left");
        }
    }
}
