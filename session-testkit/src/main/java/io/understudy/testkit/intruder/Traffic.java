package io.understudy.testkit.intruder;

import io.understudy.testkit.wire.WireTap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The content of a capture: datagrams, and the bytes of each side of each TCP connection. */
public final class Traffic {

    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SYN = 2;
    private static final int ACK = 16;

    /** A place where somebody listens. */
    public record Port(String address, int number) {}

    /** One side of a connection, with its bytes in order. */
    public static final class Stream {
        private final Port to;
        private final int first;
        private final TreeMap<Long, byte[]> early = new TreeMap<>();
        private final ByteArrayOutputStream said = new ByteArrayOutputStream();

        private Stream(Port to, int first) {
            this.to = to;
            this.first = first;
        }

        /** Segments come late, twice, or overlap. */
        private void add(int sequence, byte[] bytes) {
            early.merge(Integer.toUnsignedLong(sequence - first), bytes, (a, b) -> a.length > b.length ? a : b);
            while (!early.isEmpty() && early.firstKey() <= said.size()) {
                Map.Entry<Long, byte[]> next = early.pollFirstEntry();
                int known = (int) (said.size() - next.getKey());
                if (known < next.getValue().length) {
                    said.write(next.getValue(), known, next.getValue().length - known);
                }
            }
        }

        public Port to() {
            return to;
        }

        public byte[] bytes() {
            return said.toByteArray();
        }

        /** JGroups' frames in it. */
        public List<byte[]> frames() {
            return WireTap.frames(bytes());
        }
    }

    private final byte[] raw;
    private final List<byte[]> datagrams = new ArrayList<>();
    private final List<Stream> streams = new ArrayList<>();
    private final Set<Port> services = new LinkedHashSet<>();
    private final Set<Port> sockets = new LinkedHashSet<>();

    private Traffic(byte[] raw) {
        this.raw = raw;
    }

    public static Traffic read(Path file) throws IOException {
        Traffic traffic = new Traffic(Files.readAllBytes(file));
        Map<List<Port>, Stream> open = new HashMap<>();
        for (Pcap.Packet packet : Pcap.read(file)) {
            ByteBuffer payload = packet.payload();
            if (packet.protocol() != UDP && packet.protocol() != TCP) {
                continue;
            }
            Port from = new Port(packet.from(), Short.toUnsignedInt(payload.getShort(0)));
            Port to = new Port(packet.to(), Short.toUnsignedInt(payload.getShort(2)));
            if (packet.protocol() == UDP) {
                traffic.datagrams.add(rest(payload, 8));
                traffic.sockets.add(to);
            } else {
                traffic.segment(open, from, to, payload);
            }
        }
        return traffic;
    }

    private void segment(Map<List<Port>, Stream> open, Port from, Port to, ByteBuffer segment) {
        int flags = segment.get(13);
        int sequence = segment.getInt(4);
        List<Port> ends = List.of(from, to);
        if ((flags & SYN) != 0) {
            Stream before = open.get(ends);
            if (before == null || before.first != sequence + 1) { // Else it is sent again.
                Stream stream = new Stream(to, sequence + 1);
                open.put(ends, stream);
                streams.add(stream);
            }
        } else {
            Stream stream = open.get(ends);
            byte[] bytes = rest(segment, 4 * ((segment.get(12) & 0xF0) >> 4));
            if (stream != null && bytes.length > 0) {
                stream.add(sequence, bytes);
            }
        }
        if ((flags & SYN) != 0 && (flags & ACK) != 0) {
            services.add(from);
        }
    }

    private static byte[] rest(ByteBuffer packet, int from) {
        byte[] bytes = new byte[packet.limit() - from];
        packet.get(from, bytes);
        return bytes;
    }

    public List<byte[]> datagrams() {
        return datagrams;
    }

    public List<Stream> streams() {
        return streams;
    }

    /** Where connections were accepted. */
    public Set<Port> services() {
        return services;
    }

    /** What datagrams were sent to, groups among them. */
    public Set<Port> sockets() {
        return sockets;
    }

    /** Whether these words can be read in it: in the capture as it is, or in what was in parts there. */
    public boolean tells(String words) {
        return holds(raw, words)
                || datagrams.stream().anyMatch(datagram -> holds(datagram, words))
                || streams.stream().anyMatch(stream -> holds(stream.bytes(), words));
    }

    private static boolean holds(byte[] bytes, String words) {
        return new String(bytes, StandardCharsets.ISO_8859_1).contains(words);
    }

    @Override
    public String toString() {
        return datagrams.size() + " datagrams to " + sockets + ", " + streams.size() + " streams, " + services
                + " accept";
    }
}
