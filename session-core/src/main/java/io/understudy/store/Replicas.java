package io.understudy.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one application. An entry is never absent while its session is known: what is spilled is replaced by the
 * same session without its attributes, in one step. So Caffeine orders entries by use, and evicts none (its bound is out
 * of reach): an evicted entry would be missed by whoever looks at all of them.
 *
 * <p>Threads: any. Each entry's value is immutable and replaced.
 */
final class Replicas {

    private final Cache<SessionKey, StoredReplica> cache =
            Caffeine.newBuilder().maximumSize(Long.MAX_VALUE).build();
    private final ConcurrentMap<SessionKey, StoredReplica> entries = cache.asMap();
    private final Policy.Eviction<SessionKey, StoredReplica> order =
            cache.policy().eviction().orElseThrow();
    private final LongAdder values = new LongAdder();
    private final LongAdder held = new LongAdder();
    private final LongAdder unshared = new LongAdder();

    /** Of the digests of each bucket. */
    private final AtomicLongArray sums = new AtomicLongArray(SessionDigest.BUCKETS);

    private final Memory memory;

    Replicas(Memory memory) {
        this.memory = memory;
        memory.add(this);
    }

    /** The entry as it is; a use of it. */
    @Nullable
    StoredReplica get(SessionKey key) {
        return entries.get(key);
    }

    /** The entry as it is; no use of it. */
    @Nullable
    StoredReplica quietly(SessionKey key) {
        return cache.policy().getIfPresentQuietly(key);
    }

    /** All entries as they are; no use of them. */
    Stream<StoredReplica> stream() {
        return entries.values().stream();
    }

    /** Replaces the entry by what is made of it, atomically. */
    void compute(SessionKey key, Function<@Nullable StoredReplica, @Nullable StoredReplica> change) {
        entries.compute(key, (same, before) -> {
            StoredReplica after = change.apply(before);
            changed(key, before, after);
            return after;
        });
    }

    /** Puts {@code after} in the place of {@code before}, if that is the entry still. */
    boolean replace(StoredReplica before, StoredReplica after) {
        if (!entries.replace(before.replica().key(), before, after)) {
            return false;
        }
        changed(before.replica().key(), before, after);
        return true;
    }

    /** Removes {@code entry}, if it is the entry still. */
    boolean remove(StoredReplica entry) {
        if (!entries.remove(entry.replica().key(), entry)) {
            return false;
        }
        changed(entry.replica().key(), entry, null);
        return true;
    }

    private void changed(SessionKey key, @Nullable StoredReplica before, @Nullable StoredReplica after) {
        if (before != after) {
            values.add(bytes(after) - bytes(before));
            held.add(held(after) - held(before));
            unshared.add((after != null && after.unshared() ? 1 : 0) - (before != null && before.unshared() ? 1 : 0));
            memory.changed(before, after);
            long difference = share(after) - share(before);
            if (difference != 0) {
                sums.addAndGet(SessionDigest.bucket(key), difference);
            }
        }
    }

    private static long share(@Nullable StoredReplica stored) {
        return stored == null || stored.unshared()
                ? 0
                : new SessionDigest(stored.replica().key(), stored.replica().digest()).share();
    }

    /** The sum of each bucket's digests, of all entries that members compare; kept up to date, as all would be read else. */
    long[] sums() {
        return IntStream.range(0, sums.length()).mapToLong(sums::get).toArray();
    }

    private static long bytes(@Nullable StoredReplica stored) {
        return stored == null ? 0 : stored.replica().valueBytes();
    }

    private static long held(@Nullable StoredReplica stored) {
        return stored == null || !spillable(stored) ? 0 : stored.replica().valueBytes();
    }

    private static boolean spillable(StoredReplica stored) {
        return !stored.spilled() && stored.replica().live() && stored.replica().valueBytes() >= Memory.LEAST_SPILLED;
    }

    /** Sessions that no other member was told of. */
    long unsharedCount() {
        return unshared.sum();
    }

    /** Bytes of all values. */
    long valueBytes() {
        return values.sum();
    }

    /** Bytes of the values that could be spilled. */
    long heldBytes() {
        return held.sum();
    }

    /** Those used least recently of which the attributes are in memory, {@code bytes} of them or a little more. */
    List<StoredReplica> coldest(long bytes) {
        return order.coldest(all -> {
            List<StoredReplica> coldest = new ArrayList<>();
            long left = bytes;
            for (var entry : (Iterable<Policy.CacheEntry<SessionKey, StoredReplica>>) all::iterator) {
                if (left <= 0) {
                    break;
                }
                StoredReplica stored = entry.getValue();
                if (spillable(stored)) {
                    coldest.add(stored);
                    left -= stored.replica().valueBytes();
                }
            }
            return coldest;
        });
    }

    /**
     * The session with its attributes.
     *
     * @param stored an entry as it was
     * @param keep whether it stays in memory
     * @return {@code null} if it can't be read
     */
    @Nullable
    StoredReplica whole(@Nullable StoredReplica stored, boolean keep) {
        StoredReplica entry = stored;
        while (entry != null) {
            Spot spot = entry.spot();
            if (spot == null) {
                return entry;
            }
            StoredReplica whole = null;
            try {
                whole = entry.with(entry.replica().attach(memory.read(spot)), null);
            } catch (IOException | IllegalArgumentException e) {
                if (quietly(entry.replica().key()) == entry) {
                    memory.failed(
                            "a session could not be read from disk",
                            e instanceof IOException io ? io : new IOException(e.getMessage(), e));
                    return null;
                }
            }
            if (whole != null && !keep) {
                return whole;
            }
            if (whole != null && replace(entry, whole)) {
                memory.recalled();
                memory.relieve();
                return whole;
            }
            entry = quietly(entry.replica().key());
        }
        return null;
    }

    /** Lets go of all. */
    void close() {
        memory.remove(this);
        stream().forEach(this::remove);
    }
}
