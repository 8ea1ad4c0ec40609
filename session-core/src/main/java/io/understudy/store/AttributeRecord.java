package io.understudy.store;

import io.understudy.replica.Stamp;
import io.understudy.replica.StampedBytes;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * A session's attributes as they are on disk. Never read by another process than the one that wrote it. Grammar:
 *
 * <pre>
 * record    = crc32c-of-the-rest(4) count(4) count*attribute
 * attribute = length(4) name(utf-8) time(8) origin(8) length(4; -1 removed) [value]
 * </pre>
 */
final class AttributeRecord {

    private static final int CRC_BYTES = 4;

    private AttributeRecord() {}

    static byte[] write(Map<String, StampedBytes> attributes, int valueBytes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(valueBytes + 64 * attributes.size() + 16);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(0);
            out.writeInt(attributes.size());
            for (Map.Entry<String, StampedBytes> attribute : attributes.entrySet()) {
                byte[] name = attribute.getKey().getBytes(StandardCharsets.UTF_8);
                out.writeInt(name.length);
                out.write(name);
                StampedBytes written = attribute.getValue();
                out.writeLong(written.stamp().time());
                out.writeLong(written.stamp().origin());
                byte[] value = written.bytes();
                out.writeInt(value == null ? -1 : value.length);
                if (value != null) {
                    out.write(value);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an array can always be written to", e);
        }
        byte[] record = bytes.toByteArray();
        int crc = crc(record);
        for (int i = 0; i < CRC_BYTES; i++) {
            record[i] = (byte) (crc >>> (24 - 8 * i));
        }
        return record;
    }

    /** @throws IOException if these are not the bytes that were written */
    static Map<String, StampedBytes> read(byte[] record) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(record))) {
            int crc = in.readInt();
            if (crc != crc(record)) {
                throw new IOException("a record of " + record.length + " bytes does not match its checksum");
            }
            int count = in.readInt();
            Map<String, StampedBytes> attributes = new HashMap<>();
            for (int i = 0; i < count; i++) {
                String name = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                Stamp stamp = new Stamp(in.readLong(), in.readLong());
                int length = in.readInt();
                attributes.put(
                        name,
                        length < 0 ? StampedBytes.tombstone(stamp) : StampedBytes.of(stamp, in.readNBytes(length)));
            }
            return attributes;
        }
    }

    private static int crc(byte[] record) {
        CRC32C crc = new CRC32C();
        crc.update(record, CRC_BYTES, record.length - CRC_BYTES);
        return (int) crc.getValue();
    }
}
