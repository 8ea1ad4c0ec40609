package io.understudy.cluster;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Supplier;
import org.jgroups.Global;
import org.jgroups.Header;
import org.jgroups.util.Bits;

/**
 * A message's place in its scope. Wire: {@code scope(8) varlong-number varlong-previous}.
 *
 * <p>The origin is the message's source: a JGroups address is a random UUID of one start of a channel. Public as JGroups
 * instantiates it.
 */
public final class ScopeHeader extends Header {

    /** Identifies this class on the wire; JGroups leaves 1024 and above to users. */
    static final short MAGIC = 4201;

    private long scope;
    private long number;
    private long previous;

    /** For JGroups, which reads the fields afterwards. */
    public ScopeHeader() {}

    ScopeHeader(long scope, long number, long previous) {
        this.scope = scope;
        this.number = number;
        this.previous = previous;
    }

    /** What the order is kept within: the session key. */
    long scope() {
        return scope;
    }

    /** This message's number, from one counter of the origin. */
    long number() {
        return number;
    }

    /** The number of the origin's message before this one in this scope; 0 if it knows none. */
    long previous() {
        return previous;
    }

    @Override
    public short getMagicId() {
        return MAGIC;
    }

    @Override
    public Supplier<? extends Header> create() {
        return ScopeHeader::new;
    }

    @Override
    public int serializedSize() {
        return Global.LONG_SIZE + Bits.size(number) + Bits.size(previous);
    }

    @Override
    public void writeTo(DataOutput out) throws IOException {
        out.writeLong(scope);
        Bits.writeLongCompressed(number, out);
        Bits.writeLongCompressed(previous, out);
    }

    @Override
    public void readFrom(DataInput in) throws IOException {
        scope = in.readLong();
        number = Bits.readLongCompressed(in);
        previous = Bits.readLongCompressed(in);
    }

    @Override
    public String toString() {
        return "scope " + Long.toHexString(scope) + " #" + number + " after #" + previous;
    }
}
