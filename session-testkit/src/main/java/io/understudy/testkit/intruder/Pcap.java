package io.understudy.testkit.intruder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The IPv4 packets of a file that tcpdump wrote, fragments put together.
 *
 * <pre>
 * file     = A1B2C3D4(4) version(4) 0(8) snaplen(4) linktype=1(4) record*      ; in the byte order of its machine
 * record   = seconds(4) micros(4) length(4) original-length(4) ethernet
 * ethernet = destination(6) source(6) 0800(2) packet padding
 * </pre>
 */
final class Pcap {

    private static final int MAGIC = 0xA1B2C3D4;
    private static final int ETHERNET = 1;
    private static final int ETHERNET_HEADER = 14;
    private static final short IPV4 = 0x0800;
    private static final int MORE_FRAGMENTS = 0x2000;
    private static final int FRAGMENT_OFFSET = 0x1FFF;

    /**
     * A whole packet.
     *
     * @param protocol 6 for TCP, 17 for UDP
     */
    record Packet(String from, String to, int protocol, ByteBuffer payload) {}

    private record Fragmented(int from, int to, short id, byte protocol) {}

    /** Parts by their offset, and where the last one ends. */
    private static final class Parts {
        private final TreeMap<Integer, byte[]> parts = new TreeMap<>();
        private int end = Integer.MAX_VALUE;

        /** The whole; empty if something is missing. */
        byte[] whole() {
            int next = 0;
            for (Map.Entry<Integer, byte[]> part : parts.entrySet()) {
                if (part.getKey() != next) {
                    return new byte[0];
                }
                next += part.getValue().length;
            }
            if (next != end) {
                return new byte[0];
            }
            ByteBuffer whole = ByteBuffer.allocate(end);
            parts.values().forEach(whole::put);
            return whole.array();
        }
    }

    private final Map<Fragmented, Parts> fragments = new HashMap<>();
    private final List<Packet> packets = new ArrayList<>();

    private Pcap() {}

    static List<Packet> read(Path file) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
        in.order(in.getInt(0) == MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        if (in.getInt() != MAGIC || in.position(20).getInt() != ETHERNET) {
            throw new IOException(file + " is not what tcpdump writes of an Ethernet");
        }
        Pcap pcap = new Pcap();
        while (in.hasRemaining()) {
            in.getLong();
            int length = in.getInt();
            if (in.getInt() != length) {
                throw new IOException(file + " has a packet that was cut");
            }
            pcap.frame(in.slice(in.position(), length));
            in.position(in.position() + length);
        }
        return pcap.packets;
    }

    private void frame(ByteBuffer frame) {
        if (frame.remaining() < ETHERNET_HEADER || frame.getShort(12) != IPV4) {
            return;
        }
        ByteBuffer packet = frame.slice(ETHERNET_HEADER, Short.toUnsignedInt(frame.getShort(ETHERNET_HEADER + 2)));
        int header = 4 * (packet.get(0) & 0xF);
        ByteBuffer payload = packet.slice(header, packet.limit() - header);
        int fragment = Short.toUnsignedInt(packet.getShort(6));
        int offset = 8 * (fragment & FRAGMENT_OFFSET);
        boolean more = (fragment & MORE_FRAGMENTS) != 0;
        if (offset > 0 || more) {
            Fragmented id = new Fragmented(packet.getInt(12), packet.getInt(16), packet.getShort(4), packet.get(9));
            Parts parts = fragments.computeIfAbsent(id, any -> new Parts());
            byte[] part = new byte[payload.remaining()];
            payload.get(part);
            parts.parts.put(offset, part);
            parts.end = more ? parts.end : offset + part.length;
            byte[] whole = parts.whole();
            if (whole.length == 0) {
                return;
            }
            fragments.remove(id);
            payload = ByteBuffer.wrap(whole);
        }
        packets.add(new Packet(address(packet, 12), address(packet, 16), packet.get(9), payload));
    }

    private static String address(ByteBuffer packet, int at) {
        return (packet.get(at) & 0xFF) + "." + (packet.get(at + 1) & 0xFF) + "." + (packet.get(at + 2) & 0xFF) + "."
                + (packet.get(at + 3) & 0xFF);
    }
}
