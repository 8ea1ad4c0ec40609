package io.understudy.wire;

import io.understudy.replica.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Appends the primitives of the wire format to a growing array. Grammar:
 *
 * <pre>
 * varint = unsigned LEB128, at most 10 bytes
 * text   = varint length, UTF-8 bytes
 * bytes  = varint length, bytes
 * stamp  = 8 bytes time, varint-origin
 * origin = index of an origin met before in this frame
 *        | count of origins met before, 8 bytes origin
 * </pre>
 *
 * From version 2 on:
 *
 * <pre>
 * stamp  = 0                                       the same as the one before in this frame
 *        | varint-origin + 1, 8 bytes time         the first in this frame
 *        | varint-origin + 1, varint-difference    time less that of the stamp before, as zigzag
 * </pre>
 */
final class WireWriter {

    private byte[] buffer;
    private int size;

    /** The origins met before, at their index; searched from the first, as frames have few. */
    private long[] origins = new long[2];

    private int originCount;

    /** The stamp before, from version 2 on. */
    private @Nullable Stamp last;

    private boolean relative;

    /** @param capacity bytes to begin with; it grows */
    WireWriter(int capacity) {
        buffer = new byte[capacity];
    }

    WireWriter u8(int value) {
        reserve(1);
        buffer[size++] = (byte) value;
        return this;
    }

    WireWriter fixed64(long value) {
        reserve(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            buffer[size++] = (byte) (value >>> shift);
        }
        return this;
    }

    WireWriter varint(long value) {
        reserve(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            buffer[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[size++] = (byte) rest;
        return this;
    }

    /** Mostly ASCII, which needs no array of its own. */
    WireWriter text(String value) {
        int before = size;
        int length = value.length();
        varint(length);
        reserve(length);
        for (int i = 0; i < length; i++) {
            char next = value.charAt(i);
            if (next >= 0x80) {
                size = before;
                return bytes(value.getBytes(StandardCharsets.UTF_8));
            }
            buffer[size++] = (byte) next;
        }
        return this;
    }

    WireWriter bytes(byte[] value) {
        varint(value.length);
        reserve(value.length);
        System.arraycopy(value, 0, buffer, size, value.length);
        size += value.length;
        return this;
    }

    /** Begins a frame: the rest is in the form of this version. */
    WireWriter version(int version) {
        relative = version >= 2;
        return u8(version);
    }

    WireWriter stamp(Stamp stamp) {
        return relative ? relative(stamp) : fixed64(stamp.time()).origin(stamp.origin(), 0);
    }

    private WireWriter relative(Stamp stamp) {
        Stamp before = last;
        last = stamp;
        if (stamp.equals(before)) {
            return varint(0);
        }
        origin(stamp.origin(), 1);
        if (before == null) {
            return fixed64(stamp.time());
        }
        long difference = stamp.time() - before.time();
        return varint((difference << 1) ^ (difference >> 63));
    }

    private WireWriter origin(long origin, int plus) {
        for (int i = 0; i < originCount; i++) {
            if (origins[i] == origin) {
                return varint(i + plus);
            }
        }
        if (originCount == origins.length) {
            origins = Arrays.copyOf(origins, 2 * originCount);
        }
        origins[originCount] = origin;
        return varint(originCount++ + plus).fixed64(origin);
    }

    int size() {
        return size;
    }

    /** What was written, at the beginning of an array that goes on being written to. */
    byte[] buffer() {
        return buffer;
    }

    /** Begins anew, in the same array. */
    void clear() {
        size = 0;
        originCount = 0;
        last = null;
    }

    byte[] toBytes() {
        return Arrays.copyOf(buffer, size);
    }

    private void reserve(int bytes) {
        if (buffer.length - size < bytes) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + bytes));
        }
    }
}
