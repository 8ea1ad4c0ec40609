package io.understudy.ordering;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jgroups.Header;
import org.jgroups.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * The places of the messages in a {@link ScopedBatch}. Wire, with numbers as differences, as they mostly follow each other:
 *
 * <pre>
 * header = int-bytes block
 * block  = n*(scope(8) number-before base-before previous length)
 *   number-before   varint, number minus that of the place before; of the first, the number
 *   base-before     varint, base minus that of the place before; of the first, the base
 *   previous        varint, number minus previous
 *   length          varint, bytes of the message's payload
 * </pre>
 *
 * {@code int-bytes} is compressed as JGroups does it, a varint is unsigned LEB128 of 64 bits, differences wrap around. The
 * block is read as a whole: byte by byte it took a fifth of the time of the thread that reads.
 *
 * <p>Public as JGroups instantiates it.
 */
public final class ScopesHeader extends Header {

    /** Identifies this class on the wire; JGroups leaves 1024 and above to users. */
    static final short MAGIC = 4203;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Above what any sender puts into one message. */
    private static final int MAX_BYTES = 1 << 20;

    /** Bytes of a place at least, and at most. */
    private static final int MIN_PLACE = 12;

    private static final int MAX_PLACE = 8 + 3 * 10 + 5;

    private ScopeHeader[] places;
    private int[] lengths;

    /** What is written; {@code null} until it is asked for. */
    private byte @Nullable [] block;

    /** For JGroups, which reads the fields afterwards. */
    public ScopesHeader() {
        this(new ScopeHeader[0], new int[0]);
    }

    ScopesHeader(ScopeHeader[] places, int[] lengths) {
        this.places = places;
        this.lengths = lengths;
    }

    /** What a message adds to the block, at most. */
    static int maxSizeOf(ScopeHeader place, int length) {
        return 8 + size(place.number()) + size(place.base()) + size(place.number() - place.previous()) + size(length);
    }

    private static int size(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    int count() {
        return places.length;
    }

    ScopeHeader place(int index) {
        return places[index];
    }

    int length(int index) {
        return lengths[index];
    }

    @Override
    public short getMagicId() {
        return MAGIC;
    }

    @Override
    public Supplier<? extends Header> create() {
        return ScopesHeader::new;
    }

    @Override
    public int serializedSize() {
        int bytes = block().length;
        return Bits.size(bytes) + bytes;
    }

    @Override
    public void writeTo(DataOutput out) throws IOException {
        byte[] bytes = block();
        Bits.writeIntCompressed(bytes.length, out);
        out.write(bytes, 0, bytes.length);
    }

    private byte[] block() {
        byte[] known = block;
        if (known == null) {
            known = written();
            block = known;
        }
        return known;
    }

    private byte[] written() {
        byte[] bytes = new byte[places.length * MAX_PLACE];
        int at = 0;
        long number = 0;
        long base = 0;
        for (int i = 0; i < places.length; i++) {
            ScopeHeader place = places[i];
            LONG.set(bytes, at, place.scope());
            at = write(bytes, at + 8, place.number() - number);
            at = write(bytes, at, place.base() - base);
            at = write(bytes, at, place.number() - place.previous());
            at = write(bytes, at, lengths[i]);
            number = place.number();
            base = place.base();
        }
        return Arrays.copyOf(bytes, at);
    }

    private static int write(byte[] bytes, int offset, long value) {
        int at = offset;
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
        return at;
    }

    @Override
    public void readFrom(DataInput in) throws IOException {
        int size = Bits.readIntCompressed(in);
        if (size < 0 || size > MAX_BYTES) {
            throw new IOException("expected 0 to " + MAX_BYTES + " bytes of places, found " + size);
        }
        byte[] bytes = new byte[size];
        in.readFully(bytes);
        new Reading(bytes).places();
    }

    /** The places that are read from a block. */
    private final class Reading {

        private final byte[] bytes;
        private int at;

        Reading(byte[] bytes) {
            this.bytes = bytes;
        }

        void places() throws IOException {
            List<ScopeHeader> read = new ArrayList<>(bytes.length / MIN_PLACE);
            int[] readLengths = new int[bytes.length / MIN_PLACE];
            long number = 0;
            long base = 0;
            while (at < bytes.length) {
                if (bytes.length - at < MIN_PLACE) {
                    throw new IOException(
                            "expected a place of at least " + MIN_PLACE + " bytes, found " + (bytes.length - at));
                }
                long scope = (long) LONG.get(bytes, at);
                at += 8;
                number += varint();
                base += varint();
                long previous = number - varint();
                long length = varint();
                if (length < 0 || length > Integer.MAX_VALUE) {
                    throw new IOException("expected a length from 0 to " + Integer.MAX_VALUE + ", found " + length);
                }
                readLengths[read.size()] = (int) length;
                read.add(new ScopeHeader(scope, number, previous, base));
            }
            places = read.toArray(ScopeHeader[]::new);
            lengths = readLengths;
        }

        private long varint() throws IOException {
            long value = 0;
            for (int shift = 0; shift < 64 && at < bytes.length; shift += 7) {
                byte next = bytes[at++];
                value |= (long) (next & 0x7F) << shift;
                if (next >= 0) {
                    return value;
                }
            }
            throw new IOException("expected a number of at most 64 bits, found a longer one, or the end of the places");
        }
    }

    @Override
    public String toString() {
        return places.length + " messages of scopes";
    }
}
