package io.understudy.cluster;

import io.understudy.sealing.Way;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.UDP;
import org.jspecify.annotations.Nullable;

/** JGroups' UDP with a {@link Gate}. On the wire it is UDP. Threads: as UDP. Public as JGroups looks into it. */
public final class SEALED_UDP extends UDP {

    private final Gate gate;
    private final Gate.Entrance entrance = new Gate.Entrance() {
        @Override
        public void deliver(Address from, byte[] text, int offset, int length) {
            SEALED_UDP.super.receive(from, text, offset, length);
        }

        @Override
        public void answer(Address from, byte[] frame, byte @Nullable [] text) throws Exception {
            sendUnicast((PhysicalAddress) from, frame, 0, frame.length);
        }
    };

    SEALED_UDP(Gate gate) {
        setId(ClassConfigurator.getProtocolId(UDP.class));
        this.gate = gate;
    }

    @Override
    public void doSend(byte[] buf, int offset, int length, Address dest) throws Exception {
        gate.leave(buf, offset, length, dest, (bytes, from, count) -> super.doSend(bytes, from, count, dest));
    }

    @Override
    public void receive(Address sender, byte[] data, int offset, int length) {
        gate.enter(Way.DATAGRAM, sender, data, offset, length, entrance);
    }
}
