package io.understudy.codec;

import io.understudy.replica.Stamp;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads what {@link WireWriter} wrote. Declared lengths and counts are checked against the bytes that are left before
 * anything is allocated.
 */
final class WireReader {

    private final byte[] buffer;
    private final int end;
    private int offset;
    private final List<Long> origins = new ArrayList<>(2);

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
        long value = varint(what);
        if (value < 0 || value > max) {
            throw failure(what + " from 0 to " + max, Long.toUnsignedString(value));
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
        return number("count of " + what, (end - offset) / minBytes);
    }

    byte[] bytes(String what) throws WireFormatException {
        int length = number("length of " + what, end - offset);
        require(length, what);
        offset += length;
        return Arrays.copyOfRange(buffer, offset - length, offset);
    }

    String text(String what) throws WireFormatException {
        byte[] utf8 = bytes(what);
        if (ascii(utf8)) {
            return new String(utf8, StandardCharsets.ISO_8859_1); // The same, without a decoder.
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw failure(what + " in UTF-8", "malformed bytes");
        }
    }

    private static boolean ascii(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    boolean bool(String what) throws WireFormatException {
        return number(what, 1) == 1;
    }

    Stamp stamp(String what) throws WireFormatException {
        long time = fixed64(what);
        if (time < 0 || time > Stamp.MAX_TIME) {
            throw failure(what + " with a time from 0 to " + Stamp.MAX_TIME, String.valueOf(time));
        }
        int index = number("origin of " + what, origins.size());
        if (index == origins.size()) {
            origins.add(fixed64("origin of " + what));
        }
        return new Stamp(time, origins.get(index));
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
