package io.understudy.wire;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Changes of bytes, each given by a number: the same number does the same to the same bytes. */
public final class Mutations {

    /** Numbers at the border of something, as a length, a count or a version may be. */
    private static final int[] BORDERS = {0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 60_000_000};

    private static final int KINDS = 8;

    /** The longest piece that is taken away, put in or repeated. */
    private static final int PIECE = 24;

    private Mutations() {}

    /** @param others of which pieces are put in */
    public static byte[] apply(byte[] bytes, List<Long> changes, List<byte[]> others) {
        byte[] changed = bytes;
        for (long change : changes) {
            changed = apply(changed, new Random(change), others);
        }
        return changed;
    }

    private static byte[] apply(byte[] bytes, Random random, List<byte[]> others) {
        int at = random.nextInt(bytes.length + 1);
        int length = Math.min(1 + random.nextInt(PIECE), bytes.length - at);
        byte[] piece = Arrays.copyOfRange(bytes, at, at + length);
        byte[] other = others.get(random.nextInt(others.size()));
        return switch (random.nextInt(KINDS)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> with(bytes, at, length, new byte[0]);
            case 2 -> with(bytes, at, 0, piece);
            case 3 -> {
                byte[] inserted = new byte[1 + random.nextInt(PIECE)];
                random.nextBytes(inserted);
                yield with(bytes, at, 0, inserted);
            }
            case 4 -> {
                int from = random.nextInt(other.length + 1);
                int to = from + random.nextInt(other.length - from + 1);
                yield with(bytes, at, length, Arrays.copyOfRange(other, from, to));
            }
            case 5 -> with(bytes, at, Math.min(length, Integer.BYTES), border(random));
            default -> {
                byte[] flipped = bytes.clone();
                if (at < bytes.length) {
                    flipped[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
                }
                yield flipped;
            }
        };
    }

    /** As four bytes, or as a varint. */
    private static byte[] border(Random random) {
        int value = BORDERS[random.nextInt(BORDERS.length)];
        WireWriter out = new WireWriter(8);
        if (random.nextBoolean()) {
            for (int shift = 24; shift >= 0; shift -= Byte.SIZE) {
                out.u8(value >>> shift & 0xff);
            }
        } else {
            out.varint(value & 0xffff_ffffL);
        }
        return out.toBytes();
    }

    /** With a piece in place of {@code length} bytes from {@code at} on. */
    private static byte[] with(byte[] bytes, int at, int length, byte[] piece) {
        byte[] changed = Arrays.copyOf(bytes, bytes.length - length + piece.length);
        System.arraycopy(piece, 0, changed, at, piece.length);
        System.arraycopy(bytes, at + length, changed, at + piece.length, bytes.length - at - length);
        return changed;
    }
}
