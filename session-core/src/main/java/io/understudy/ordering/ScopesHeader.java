package io.understudy.ordering;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Supplier;
import org.jgroups.Header;
import org.jgroups.util.Bits;

/**
 * The places of the messages in a {@link ScopedBatch}. Wire: {@code varint-count count*(place varint-length)}, a place as in
 * {@link ScopeHeader}; the lengths are those of the payloads, in bytes.
 *
 * <p>Public as JGroups instantiates it.
 */
public final class ScopesHeader extends Header {

    /** Identifies this class on the wire; JGroups leaves 1024 and above to users. */
    static final short MAGIC = 4203;

    /** Above what any sender puts into one message. */
    private static final int MAX_COUNT = 1 << 16;

    private ScopeHeader[] places;
    private int[] lengths;

    /** For JGroups, which reads the fields afterwards. */
    public ScopesHeader() {
        this(new ScopeHeader[0], new int[0]);
    }

    ScopesHeader(ScopeHeader[] places, int[] lengths) {
        this.places = places;
        this.lengths = lengths;
    }

    /** What a message adds to the header. */
    static int sizeOf(ScopeHeader place, int length) {
        return place.serializedSize() + Bits.size(length);
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
        int size = Bits.size(places.length);
        for (int i = 0; i < places.length; i++) {
            size += sizeOf(places[i], lengths[i]);
        }
        return size;
    }

    @Override
    public void writeTo(DataOutput out) throws IOException {
        Bits.writeIntCompressed(places.length, out);
        for (int i = 0; i < places.length; i++) {
            places[i].writeTo(out);
            Bits.writeIntCompressed(lengths[i], out);
        }
    }

    @Override
    public void readFrom(DataInput in) throws IOException {
        int count = Bits.readIntCompressed(in);
        if (count < 0 || count > MAX_COUNT) {
            throw new IOException("expected a count of messages from 0 to " + MAX_COUNT + ", found " + count);
        }
        places = new ScopeHeader[count];
        lengths = new int[count];
        for (int i = 0; i < count; i++) {
            places[i] = new ScopeHeader();
            places[i].readFrom(in);
            lengths[i] = Bits.readIntCompressed(in);
            if (lengths[i] < 0) {
                throw new IOException("expected a length of at least 0, found " + lengths[i]);
            }
        }
    }

    @Override
    public String toString() {
        return places.length + " messages of scopes";
    }
}
