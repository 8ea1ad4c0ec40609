package io.understudy.wire;

import io.understudy.replica.SessionKey;
import io.understudy.wire.Frame.LastPart;
import io.understudy.wire.Frame.Part;
import java.nio.ByteBuffer;

/**
 * The pieces of a large change to bytes and back. The pieces' bytes in order, those of the last part at the end, are a
 * frame of kind 1. Grammar:
 *
 * <pre>
 * kind 12  part            application(8) varint-transfer varint-index bytes
 * kind 13  last part       application(8) key(8) varint-transfer varint-parts bytes
 * </pre>
 */
final class PartFrames {

    static final int PART = 12;
    static final int LAST_PART = 13;

    private PartFrames() {}

    static void write(WireWriter out, Part part) {
        out.u8(PART).fixed64(part.application()).varint(part.transfer()).varint(part.index());
        write(out, part.bytes());
    }

    static void write(WireWriter out, LastPart last) {
        out.u8(LAST_PART).fixed64(last.application()).fixed64(last.key().value());
        out.varint(last.transfer()).varint(last.parts());
        write(out, last.bytes());
    }

    private static void write(WireWriter out, ByteBuffer piece) {
        byte[] bytes = new byte[piece.remaining()];
        piece.duplicate().get(bytes);
        out.bytes(bytes);
    }

    static Part part(WireReader in) throws WireFormatException {
        long application = in.fixed64("application");
        long transfer = in.varint("transfer");
        int index = in.number("index of part", Integer.MAX_VALUE);
        return new Part(application, transfer, index, ByteBuffer.wrap(in.bytes("part")));
    }

    static LastPart lastPart(WireReader in) throws WireFormatException {
        long application = in.fixed64("application");
        SessionKey key = new SessionKey(in.fixed64("key"));
        long transfer = in.varint("transfer");
        int parts = in.number("count of parts", Integer.MAX_VALUE);
        return new LastPart(application, key, transfer, parts, ByteBuffer.wrap(in.bytes("last part")));
    }
}
