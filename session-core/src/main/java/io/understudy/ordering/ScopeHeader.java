package io.understudy.ordering;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Supplier;
import org.jgroups.Global;
import org.jgroups.Header;
import org.jgroups.util.Bits;

/**
 * A message's place in its scope. Wire: {@code scope(8) varlong-number varlong-previous varlong-base}.
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
    private long base;
    private volatile boolean afterGap;
    private volatile boolean held;

    /** For JGroups, which reads the fields afterwards. */
    public ScopeHeader() {}

    /** The place {@code number} in {@code scope}, after {@code previous}, of an origin whose view began at {@code base}. */
    public ScopeHeader(long scope, long number, long previous, long base) {
        this.scope = scope;
        this.number = number;
        this.previous = previous;
        this.base = base;
    }

    /** What the order is kept within: the session key. */
    public long scope() {
        return scope;
    }

    /** This message's number, from one counter of the origin; above 0. */
    public long number() {
        return number;
    }

    /** The number of the origin's message before this one in this scope; 0 if it knows none. */
    long previous() {
        return previous;
    }

    /** The origin's last number when it installed its view: a member new in that view may have missed those up to it. */
    long base() {
        return base;
    }

    /**
     * Whether this member went on to this message without an earlier one of its scope, which may never come. The scope
     * must then be pulled from a member that has it. Not on the wire.
     */
    public boolean afterGap() {
        return afterGap;
    }

    void markAfterGap() {
        afterGap = true;
    }

    /** Whether the message had to wait here for an earlier one. Not on the wire. */
    boolean held() {
        return held;
    }

    void markHeld() {
        held = true;
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
        return Global.LONG_SIZE + Bits.size(number) + Bits.size(previous) + Bits.size(base);
    }

    @Override
    public void writeTo(DataOutput out) throws IOException {
        out.writeLong(scope);
        Bits.writeLongCompressed(number, out);
        Bits.writeLongCompressed(previous, out);
        Bits.writeLongCompressed(base, out);
    }

    @Override
    public void readFrom(DataInput in) throws IOException {
        scope = in.readLong();
        number = Bits.readLongCompressed(in);
        previous = Bits.readLongCompressed(in);
        base = Bits.readLongCompressed(in);
    }

    @Override
    public String toString() {
        return "scope " + Long.toHexString(scope) + " #" + number + " after #" + previous + " above #" + base;
    }
}
