package io.understudy.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.Ticker;
import io.understudy.replica.SessionDigest;
import io.understudy.replica.SessionKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one application. An entry is never absent while its session is known: what is spilled is replaced by the
 * same session without its attributes, in one step. So Caffeine orders entries by use, and evicts none: code that
 * looks at all entries would miss an evicted one.
 *
 * <p>Threads: any. Each entry's value is immutable and replaced.
 */
final class Replicas {

    /**
     * What {@link #compute} makes of one entry, in one step. Used once: each request makes one, so it is one object.
     *
     * <p>Threads: one.
     */
    abstract static class EntryChange
            implements BiFunction<SessionKey, @Nullable StoredReplica, @Nullable StoredReplica> {

        private final SessionKey key;
        private final Replicas replicas;
        private @Nullable StoredReplica before;
        private @Nullable StoredReplica after;

        EntryChange(SessionKey key, Replicas replicas) {
            this.key = key;
            this.replicas = replicas;
        }

        SessionKey key() {
            return key;
        }

        /** What was there. */
        @Nullable
        StoredReplica before() {
            return before;
        }

        /** What is there now. */
        @Nullable
        StoredReplica after() {
            return after;
        }

        /** @return {@code null} if the entry goes */
        abstract @Nullable StoredReplica made(@Nullable StoredReplica of);

        @Override
        public @Nullable StoredReplica apply(SessionKey same, @Nullable StoredReplica of) {
            StoredReplica made = made(of);
            before = of;
            after = made;
            replicas.note(key, of, made);
            return made;
        }
    }

    /**
     * In the order of use, by a clock that stands still, so nothing expires. A bound that is out of reach would not do:
     * Caffeine notes no use before half of it is there. In the calling thread, as nothing is evicted: to put a few
     * entries in order takes less than to wake another one.
     */
    private final Cache<SessionKey, StoredReplica> cache = Caffeine.newBuilder()
            .expireAfterAccess(Duration.ofDays(1))
            .ticker(Ticker.disabledTicker())
            .executor(Runnable::run)
            .build();

    private final ConcurrentMap<SessionKey, StoredReplica> entries = cache.asMap();
    private final Policy.FixedExpiration<SessionKey, StoredReplica> order =
            cache.policy().expireAfterAccess().orElseThrow();
    private final AtomicLong values = new AtomicLong();
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong unshared = new AtomicLong();

    /** Of the digests of each bucket. */
    private final AtomicLongArray sums = new AtomicLongArray(SessionDigest.BUCKETS);

    /** Of all entries that members compare, by bucket; {@code null} until one has a first. */
    private final AtomicReferenceArray<@Nullable SortedKeys> compared =
            new AtomicReferenceArray<>(SessionDigest.BUCKETS);

    private final List<Consumer<SessionKey>> onSpill = new CopyOnWriteArrayList<>();

    /** {@link #get} and {@link #quietly}, made once: each request asks by them. */
    final Function<SessionKey, @Nullable StoredReplica> gets = this::get;

    final Function<SessionKey, @Nullable StoredReplica> looks = this::quietly;

    private final Memory memory;
    private final Retention retention;

    Replicas(Memory memory, Retention retention) {
        this.memory = memory;
        this.retention = retention;
        memory.add(this);
    }

    void onSpill(Consumer<SessionKey> listener) {
        onSpill.add(listener);
    }

    void notOnSpill(Consumer<SessionKey> listener) {
        onSpill.remove(listener);
    }

    /** The attributes of an entry went to disk. */
    void spilled(SessionKey key) {
        onSpill.forEach(listener -> listener.accept(key));
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
        compute(new EntryChange(key, this) {
            @Override
            @Nullable
            StoredReplica made(@Nullable StoredReplica of) {
                return change.apply(of);
            }
        });
    }

    void compute(EntryChange change) {
        entries.compute(change.key(), change);
        account(change.key(), change.before(), change.after());
    }

    /** Puts {@code after} in the place of {@code before}, if that is the entry still. */
    boolean replace(StoredReplica before, StoredReplica after) {
        return put(before, after);
    }

    /** Removes {@code entry}, if it is the entry still. */
    boolean remove(StoredReplica entry) {
        return put(entry, null);
    }

    /** Runs a short task if {@code entry} is the entry still, which does not change meanwhile. */
    void unchanged(StoredReplica entry, Runnable task) {
        entries.computeIfPresent(entry.replica().key(), (same, now) -> {
            if (now == entry) {
                task.run();
            }
            return now;
        });
    }

    private boolean put(StoredReplica before, @Nullable StoredReplica after) {
        SessionKey key = before.replica().key();
        boolean[] put = new boolean[1];
        entries.computeIfPresent(key, (same, now) -> {
            put[0] = now == before;
            if (put[0]) {
                note(key, before, after);
            }
            return put[0] ? after : now;
        });
        if (put[0]) {
            account(key, before, after);
        }
        return put[0];
    }

    /** In one step with the change, so that of two changes of one entry the later is noted later. */
    private void note(SessionKey key, @Nullable StoredReplica before, @Nullable StoredReplica after) {
        if (compared(before) != compared(after)) {
            noteCompared(key, after);
        }
        retention.changed(before, after); // Last: without memory for it nothing of it has changed.
    }

    /** A key too many, of a change that failed afterwards, does no harm. */
    private void noteCompared(SessionKey key, @Nullable StoredReplica after) {
        int bucket = SessionDigest.bucket(key);
        SortedKeys keys = compared.get(bucket);
        if (keys == null) {
            keys = compared.updateAndGet(bucket, made -> made == null ? new SortedKeys() : made);
        }
        if (compared(after)) {
            keys.add(key);
        } else {
            keys.remove(key);
        }
    }

    /** After the change, as who finds the old entry may read its place on disk; sums are the same in any order. */
    private void account(SessionKey key, @Nullable StoredReplica before, @Nullable StoredReplica after) {
        if (before != after) {
            values.addAndGet(bytes(after) - bytes(before));
            held.addAndGet(held(after) - held(before));
            unshared.addAndGet(
                    (after != null && after.unshared() ? 1 : 0) - (before != null && before.unshared() ? 1 : 0));
            memory.changed(before, after);
            long difference = share(after) - share(before);
            if (difference != 0) {
                sums.addAndGet(SessionDigest.bucket(key), difference);
            }
        }
    }

    private static boolean compared(@Nullable StoredReplica stored) {
        return stored != null && !stored.unshared();
    }

    /**
     * The first {@code limit} entries of a bucket that members compare, with keys greater than {@code after}, in ascending
     * order of keys; no use of them. It costs what it finds.
     */
    List<StoredReplica> compared(int bucket, @Nullable SessionKey after, int limit) {
        List<StoredReplica> found = new ArrayList<>();
        SortedKeys keys = compared.get(bucket);
        SessionKey last = after;
        boolean more = keys != null;
        while (more) {
            int lacking = limit - found.size();
            List<SessionKey> next = keys.after(last, lacking);
            for (SessionKey key : next) {
                StoredReplica stored = quietly(key);
                if (stored != null && compared(stored)) { // It may have gone meanwhile.
                    found.add(stored);
                }
                last = key;
            }
            more = next.size() == lacking && found.size() < limit;
        }
        return found;
    }

    private static long share(@Nullable StoredReplica stored) {
        return stored == null || !compared(stored)
                ? 0
                : SessionDigest.share(stored.replica().key(), stored.replica().digest());
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
        return unshared.get();
    }

    /** Bytes of all values. */
    long valueBytes() {
        return values.get();
    }

    /** Bytes of the values that could be spilled. */
    long heldBytes() {
        return held.get();
    }

    /** Those used least recently of which the attributes are in memory, {@code bytes} of them or a little more. */
    List<StoredReplica> coldest(long bytes) {
        return order.oldest(all -> {
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
            SpillLocation spot = entry.spot();
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
