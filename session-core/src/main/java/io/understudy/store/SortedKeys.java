package io.understudy.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.replica.SessionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Some keys in ascending order. An array: 4 to 5 bytes for each key, where there may be millions. A change moves those behind it,
 * some KB for thousands of keys.
 *
 * <p>Threads: any.
 */
final class SortedKeys {

    private static final int LEAST = 4;

    @GuardedBy("this")
    private @Nullable SessionKey[] keys = new SessionKey[LEAST];

    @GuardedBy("this")
    private int size;

    synchronized void add(SessionKey key) {
        int at = Arrays.binarySearch(keys, 0, size, key);
        if (at >= 0) {
            return;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, roomFor(size + 1));
        }
        System.arraycopy(keys, -at - 1, keys, -at, size + at + 1);
        keys[-at - 1] = key;
        size++;
    }

    synchronized void remove(SessionKey key) {
        int at = Arrays.binarySearch(keys, 0, size, key);
        if (at < 0) {
            return;
        }
        size--;
        System.arraycopy(keys, at + 1, keys, at, size - at);
        keys[size] = null;
        if (roomFor(size) < keys.length / 2) {
            keys = Arrays.copyOf(keys, roomFor(size));
        }
    }

    private static int roomFor(int size) {
        return size + Math.max(LEAST, size / 8);
    }

    /** The first {@code limit} keys greater than {@code after}, or of all. */
    synchronized List<SessionKey> after(@Nullable SessionKey after, int limit) {
        int at = after == null ? -1 : Arrays.binarySearch(keys, 0, size, after);
        int from = at < 0 ? -at - 1 : at + 1;
        List<SessionKey> found = new ArrayList<>(Math.min(limit, size - from));
        for (int i = from; i < size && found.size() < limit; i++) {
            found.add(Objects.requireNonNull(keys[i]));
        }
        return found;
    }
}
