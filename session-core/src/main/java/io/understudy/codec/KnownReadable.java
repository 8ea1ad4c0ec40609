package io.understudy.codec;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.CRC32C;

/**
 * Bytes that were read here without an error, by a hash of 64 bits: a value that is only read by requests is encoded to
 * the same bytes again and again, and need not be read each time. The last of some thousand; a newer one takes an older
 * one's place.
 *
 * <p>Threads: any.
 */
final class KnownReadable {

    private static final int PLACES = 4096;

    private final AtomicLongArray hashes = new AtomicLongArray(PLACES);

    boolean contains(byte[] bytes) {
        long hash = hash(bytes);
        return hashes.get(place(hash)) == hash;
    }

    void add(byte[] bytes) {
        long hash = hash(bytes);
        hashes.set(place(hash), hash);
    }

    private static int place(long hash) {
        return (int) hash & (PLACES - 1);
    }

    private static long hash(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (long) Arrays.hashCode(bytes) << Integer.SIZE | sum.getValue();
    }
}
