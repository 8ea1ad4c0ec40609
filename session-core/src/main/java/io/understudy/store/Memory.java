package io.understudy.store;

import io.understudy.metrics.Counter;
import io.understudy.metrics.ReplicationMetrics;
import io.understudy.replica.SessionKey;
import io.understudy.replica.SessionReplica;
import io.understudy.replica.StampedBytes;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How much memory the replicas of a node's applications may take together. Near the bound the attributes of the sessions
 * used least recently are written to disk, in the thread that made one more; at the bound, threads that make more wait for
 * that. What can't be written stays in memory, beyond the bound: nothing is given up before it is on disk.
 *
 * <p>Threads: any.
 */
public final class Memory implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Memory.class.getName());

    /** Heap of a live session beside its attributes, and of each tombstone; see docs/design/memory.md. */
    static final int SESSION_BYTES = 400;

    static final int TOMBSTONE_BYTES = 340;

    /** Less than this, in bytes of values, is not worth a place on disk. */
    static final int LEAST_SPILLED = 64;

    /** How long, in milliseconds, nothing is tried after nothing could be spilled. */
    private static final long PAUSE_MILLIS = 1000;

    /** How often, in milliseconds, it is shown that the files are in use. */
    private static final long KEEP_MILLIS = 60_000;

    private static final int MAX_CAUSES = 100;

    private final long bound;
    private final ReplicationMetrics metrics;
    private final SpillFiles files;
    private final List<Replicas> owners = new CopyOnWriteArrayList<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong objectBytes = new AtomicLong();
    private final AtomicLong spilledSessions = new AtomicLong();
    private final AtomicLong spilledBytes = new AtomicLong();
    private final ReentrantLock spilling = new ReentrantLock();
    private final Set<String> causes = ConcurrentHashMap.newKeySet();
    private volatile long triedInVain = nowMillis() - PAUSE_MILLIS;
    private final AtomicLong kept = new AtomicLong(nowMillis());

    /**
     * @param bound in bytes of heap, by estimate
     * @param directory below which it makes one of its own when it first needs it
     */
    public Memory(long bound, Path directory, ReplicationMetrics metrics) {
        this(bound, directory, metrics, Memory::open);
        try {
            SpillDirectory.clean(directory);
        } catch (IOException e) {
            failed("files that a stopped node left could not be deleted", e);
        }
    }

    /** Makes and deletes a directory as for sessions: so the log names a place that can't be used before memory is full. */
    public void tryDirectory() {
        try {
            files.tryDirectory();
        } catch (IOException e) {
            failed("sessions above 'maxMemory' stay in the heap, because 'spillDirectory' can't be used", e);
        }
    }

    Memory(long bound, Path directory, ReplicationMetrics metrics, SpillFiles.Opening opening) {
        this.bound = bound;
        this.metrics = metrics;
        this.files = new SpillFiles(directory, opening, this::failed);
    }

    private static RandomAccessFile open(Path path, String mode) throws IOException {
        return new RandomAccessFile(path.toFile(), mode);
    }

    private static long nowMillis() {
        return System.nanoTime() / 1_000_000;
    }

    /** Without a bound, so that no disk is looked at. */
    static Memory unbounded() {
        return new Memory(Long.MAX_VALUE, Path.of("unused"), new ReplicationMetrics(), Memory::open);
    }

    /** Bytes of heap that the replicas take, by estimate. */
    public long bytes() {
        return bytes.get();
    }

    /** The most they may take. */
    public long bound() {
        return bound;
    }

    /** Whether replicas take nearly all they may: attributes go to disk, and new sessions without any stay on their node. */
    public boolean nearLimit() {
        return bytes.get() > bound - bound / 16;
    }

    /**
     * Whether a merge of some kilobytes looks at no disk now: all sessions are in memory, and fill at most 7/8 of the bound,
     * so that they are not {@linkplain #nearLimit near} it after the merge.
     */
    public boolean withoutDisk() {
        return bytes.get() <= bound - bound / 8 && spilledSessions.get() == 0;
    }

    /** Bytes of heap that those objects take, by estimate. */
    public long objectBytes() {
        return objectBytes.get();
    }

    /** Objects of sessions and attributes, beside the replicas, take more bytes of heap now, by estimate, or less. */
    public void objects(long change) {
        objectBytes.addAndGet(change);
    }

    /**
     * Whether those objects may stay. An eighth of the bound is for them, if the replicas leave it. More of them stay
     * while both together leave a quarter of the bound free: the collector's work for each change grows steeply with the
     * part of the heap that lives.
     */
    public boolean roomForObjects() {
        long objects = objectBytes.get();
        long all = bytes.get() + objects;
        return all <= bound - bound / 4 || (objects <= bound / 8 && all <= bound);
    }

    /** How many sessions without attributes would have to go for the rest to fit, if all is on disk that can be. */
    public long excessSessions() {
        long excess = bytes.get() - bound;
        return excess <= 0 ? 0 : (excess + bound / 16) / SESSION_BYTES;
    }

    /** Sessions whose attributes are on disk. */
    public long spilledSessions() {
        return spilledSessions.get();
    }

    /** Bytes of those attributes' values. */
    public long spilledBytes() {
        return spilledBytes.get();
    }

    /** Bytes of the files. */
    public long fileBytes() {
        return files.size();
    }

    /** Where the records are. */
    SpillFiles files() {
        return files;
    }

    /** Those whose sessions may be on disk. */
    List<Replicas> owners() {
        return owners;
    }

    void add(Replicas owner) {
        owners.add(owner);
    }

    void remove(Replicas owner) {
        owners.remove(owner);
    }

    /** An entry became another one; to be told of each change once, in any order. */
    void changed(@Nullable StoredReplica before, @Nullable StoredReplica after) {
        SpillLocation old = before == null ? null : before.spot();
        SpillLocation now = after == null ? null : after.spot();
        bytes.addAndGet(weight(after) - weight(before));
        if (!Objects.equals(old, now)) {
            spilledSessions.addAndGet((now == null ? 0 : 1) - (old == null ? 0 : 1));
            spilledBytes.addAndGet((now == null || after == null
                            ? 0
                            : after.replica().valueBytes())
                    - (old == null || before == null ? 0L : before.replica().valueBytes()));
            if (old != null) {
                old.segment().free(old);
            }
        }
    }

    private static long weight(@Nullable StoredReplica stored) {
        if (stored == null) {
            return 0;
        }
        int fixed = stored.replica().ended() ? TOMBSTONE_BYTES : SESSION_BYTES;
        return stored.replica().detached() ? fixed : fixed + stored.replica().attributeBytes();
    }

    /** The attributes at this place. */
    Map<String, StampedBytes> read(SpillLocation spot) throws IOException {
        return AttributeRecord.read(spot.segment().read(spot));
    }

    /** Spills until there is room; to be called by who made more, holding nothing that another session needs. */
    void relieve() {
        if (!nearLimit() || nowMillis() - triedInVain < PAUSE_MILLIS) {
            return;
        }
        if (bytes.get() > bound) {
            spilling.lock();
        } else if (!spilling.tryLock()) {
            return;
        }
        try {
            if (nearLimit() && !spillTo(bound - bound / 8)) {
                triedInVain = nowMillis();
            }
            compact();
        } finally {
            spilling.unlock();
        }
    }

    /** Whether so much was spilled that no more than {@code target} bytes are left. */
    private boolean spillTo(long target) {
        while (bytes.get() > target) {
            Replicas largest = owners.stream()
                    .max(Comparator.comparingLong(Replicas::heldBytes))
                    .orElse(null);
            if (largest == null) {
                return false;
            }
            List<StoredReplica> coldest = largest.coldest(bytes.get() - target);
            if (coldest.isEmpty()) {
                return false;
            }
            for (StoredReplica stored : coldest) {
                if (!spill(largest, stored)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean spill(Replicas owner, StoredReplica stored) {
        SpillLocation spot;
        Supplier<SessionReplica> detached = stored.replica()::detach; // Made first: what is written needs an owner.
        try {
            spot = files.write(
                    stored.replica().key(),
                    AttributeRecord.write(
                            stored.replica().asDelta().attributes(),
                            stored.replica().valueBytes()));
        } catch (IOException e) {
            failed("sessions stay in memory, above maxMemory, because they can't be written to disk", e);
            return false;
        }
        // The bytes are on disk before the entry lets go of them; an entry that changed meanwhile keeps its own.
        if (replace(owner, stored, detached, spot)) {
            metrics.count(Counter.SESSIONS_SPILLED);
            owner.spilled(stored.replica().key());
        }
        return true;
    }

    /** Puts what is at {@code spot} in the place of an entry. Whatever is thrown: the record is the entry's, or nobody's. */
    static boolean replace(Replicas owner, StoredReplica stored, Supplier<SessionReplica> state, SpillLocation spot) {
        boolean replaced;
        try {
            replaced = owner.replace(stored, stored.with(state.get(), spot));
        } catch (RuntimeException | Error e) {
            if (owner.quietly(stored.replica().key()) == stored) {
                spot.segment().free(spot);
            }
            throw e;
        }
        if (!replaced) {
            spot.segment().free(spot);
        }
        return replaced;
    }

    /**
     * Empties a file of which little is needed, if more than half of all is garbage.
     *
     * @return at how many sessions it looked: those that were written to that file
     */
    int compact() {
        SpillSegment sparse = files.sparse();
        if (sparse == null) {
            return 0;
        }
        int looked = 0;
        for (SessionKey key : sparse.keys()) {
            looked++;
            for (Replicas owner : owners) {
                StoredReplica stored = owner.quietly(key);
                SpillLocation spot = stored == null ? null : stored.spot();
                if (stored != null && spot != null && spot.segment() == sparse && !move(owner, stored, spot)) {
                    return looked;
                }
            }
        }
        return looked;
    }

    /** @return whether others can be moved */
    private boolean move(Replicas owner, StoredReplica stored, SpillLocation from) {
        SessionKey key = stored.replica().key();
        byte[] record;
        try {
            record = from.segment().read(from);
        } catch (IOException e) {
            if (owner.quietly(key) == stored) {
                failed("a session could not be moved to another file", e);
            }
            return true;
        }
        try {
            boolean unused = replace(owner, stored, stored::replica, files.write(key, record));
            return true;
        } catch (IOException e) {
            failed("a file could not be emptied", e);
            return false;
        }
    }

    /** Does now and then what nobody had to wait for. */
    void tidy() {
        relieve();
        long last = kept.get();
        if (nowMillis() - last > KEEP_MILLIS && kept.compareAndSet(last, nowMillis())) {
            files.keep();
        }
        if (files.sparse() != null && spilling.tryLock()) {
            try {
                compact();
            } finally {
                spilling.unlock();
            }
        }
    }

    /** Counts it, and logs each cause once. */
    void failed(String what, IOException cause) {
        metrics.count(Counter.SPILL_ERRORS);
        if (causes.size() < MAX_CAUSES && causes.add(what + cause.getClass())) {
            LOG.log(Level.WARNING, "{0}: {1}", what, cause);
        }
    }

    /** Counts values of attributes. */
    void endedByFloor(int values) {
        if (values > 0) {
            metrics.count(Counter.ATTRIBUTES_ENDED_BY_FLOOR, values);
        }
    }

    void recalled() {
        metrics.count(Counter.SESSIONS_RECALLED);
    }

    /** Deletes the files. What is on disk can't be read from now on. */
    @Override
    public void close() {
        spilling.lock();
        try {
            files.close();
        } finally {
            spilling.unlock();
        }
    }
}
