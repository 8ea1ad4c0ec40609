package io.understudy.network.multicast;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.function.Supplier;
import org.jgroups.Global;
import org.jgroups.Header;
import org.jgroups.conf.ClassConfigurator;

/**
 * Confirms to a member which of its beacons the sender has received. Wire: {@code small(8) large(8) largeBytes(4)}:
 * when the latest of each kind was sent, by the clock of the beacons' sender, negative for none.
 *
 * <p>Public as JGroups instantiates it.
 */
public final class BeaconAckHeader extends Header {

    /** Identifies this class on the wire; JGroups leaves 1024 and above to users. */
    static final short MAGIC = 4204;

    /** Under which a message has it; JGroups leaves 512 and above to users. */
    public static final short ID = 4205;

    private long small;
    private long large;
    private int largeBytes;

    /** For JGroups, which reads the fields afterwards. */
    public BeaconAckHeader() {}

    BeaconAckHeader(long small, long large, int largeBytes) {
        this.small = small;
        this.large = large;
        this.largeBytes = largeBytes;
    }

    static void register() {
        ClassConfigurator.addIfAbsent(MAGIC, BeaconAckHeader.class);
    }

    long small() {
        return small;
    }

    long large() {
        return large;
    }

    int largeBytes() {
        return largeBytes;
    }

    @Override
    public short getMagicId() {
        return MAGIC;
    }

    @Override
    public Supplier<? extends Header> create() {
        return BeaconAckHeader::new;
    }

    @Override
    public int serializedSize() {
        return 2 * Global.LONG_SIZE + Global.INT_SIZE;
    }

    @Override
    public void writeTo(DataOutput out) throws IOException {
        out.writeLong(small);
        out.writeLong(large);
        out.writeInt(largeBytes);
    }

    @Override
    public void readFrom(DataInput in) throws IOException {
        small = in.readLong();
        large = in.readLong();
        largeBytes = in.readInt();
    }
}
