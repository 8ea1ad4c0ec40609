package io.understudy.discovery;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.View;
import org.jgroups.protocols.Discovery;
import org.jgroups.protocols.PingData;
import org.jgroups.util.NameCache;
import org.jspecify.annotations.Nullable;

/**
 * Each node's entry with its address, where all nodes can read it.
 *
 * <p>An entry is an address to ask at, and no more: one that a node left behind which was killed costs a question that nobody answers. Each node writes its
 * own, and writes it again when it is gone. So an entry may be removed by mistake, and is removed when its address is another node's now, or when it was in
 * the view of the first member at no time for a minute.
 *
 * <p>Threads: any; one reads and writes at a time.
 */
final class SharedRegistry {

    private static final Logger LOG = System.getLogger(SharedRegistry.class.getName());

    /** Members look for others about once a second, to merge; entries are read no more often than this. */
    private static final long AGAIN_MILLIS = 5000;

    /** Longest wait of a node that stops, in milliseconds, for somebody who is still reading. */
    private static final long CLOSE_MILLIS = 2000;

    /** Far above the time in which a node that is well becomes a member. */
    static final long FORGET_MILLIS = 60_000;

    /** Where they are. */
    interface Store {
        List<PingData> read() throws Exception;

        void write(PingData own) throws Exception;

        void remove(Address node) throws Exception;
    }

    /**
     * Who reads.
     *
     * @param view members; empty before there is one
     * @param first whether it is the first of them
     */
    record Reader(PingData own, Collection<Address> view, boolean first) {}

    private final String node;
    private final String where;
    private final Store store;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Address, Long> outsideSince = new HashMap<>();

    @GuardedBy("lock")
    private boolean failing;

    private volatile boolean closed;

    private volatile Set<PhysicalAddress> others = Set.of();
    private volatile @Nullable Long readMillis;

    /**
     * @param node its name in logs
     * @param where in logs
     */
    SharedRegistry(String node, String where, Store store) {
        this(node, where, store, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    SharedRegistry(String node, String where, Store store, LongSupplier clock) {
        this.node = node;
        this.where = where;
        this.store = store;
        this.clock = clock;
    }

    /** Asks who is at the addresses of the others' entries, with {@code initial} at those that are there now. */
    void ask(Discovery asker, @Nullable View view, @Nullable List<Address> members, boolean initial) {
        Address self = asker.getAddress();
        PhysicalAddress address = self == null ? null : DiscoveryRequest.own(asker);
        if (address == null) {
            return; // It is not started yet, or not any more.
        }
        boolean first = view != null && view.getCoord().equals(self);
        Set<PhysicalAddress> whom = look(
                new Reader(
                        new PingData(self, true, NameCache.get(self), address).coord(first),
                        view == null ? List.of() : view.getMembers(),
                        first),
                initial);
        if (whom != null) {
            DiscoveryRequest.ask(asker, whom, members, initial);
        }
    }

    /**
     * The addresses to ask at, read anew if it is time; {@code null} if somebody else is reading them.
     *
     * @param now to read them in any case
     */
    @Nullable
    Set<PhysicalAddress> look(Reader reader, boolean now) {
        if (!lock.tryLock()) {
            return null;
        }
        try {
            Long last = readMillis;
            if (!closed && (now || last == null || clock.getAsLong() - last >= AGAIN_MILLIS)) {
                read(reader);
                readMillis = clock.getAsLong();
            }
            return others;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void read(Reader reader) {
        try {
            List<PingData> entries = store.read();
            if (entries.stream().noneMatch(entry -> same(entry, reader.own()))) {
                store.write(reader.own());
            }
            others = entries.stream()
                    .map(PingData::getPhysicalAddr)
                    .filter(address -> !address.equals(reader.own().getPhysicalAddr()))
                    .collect(Collectors.toUnmodifiableSet());
            for (PingData entry : entries) {
                if (!entry.getAddress().equals(reader.own().getAddress()) && over(entry, reader)) {
                    store.remove(entry.getAddress());
                    outsideSince.remove(entry.getAddress());
                }
            }
            outsideSince
                    .keySet()
                    .retainAll(entries.stream().map(PingData::getAddress).toList());
            if (closed) {
                store.remove(reader.own().getAddress()); // The thread that stops this node may not wait any longer.
            }
            worked();
        } catch (Exception e) {
            failed(e);
        }
    }

    private static boolean same(PingData entry, PingData own) {
        return entry.getAddress().equals(own.getAddress())
                && entry.getPhysicalAddr().equals(own.getPhysicalAddr());
    }

    @GuardedBy("lock")
    private boolean over(PingData entry, Reader reader) {
        if (entry.getPhysicalAddr().equals(reader.own().getPhysicalAddr())) {
            return true; // Of a node before this one: no two have an address at a time.
        }
        if (reader.view().contains(entry.getAddress()) || !reader.first()) {
            outsideSince.remove(entry.getAddress());
            return false;
        }
        long now = clock.getAsLong();
        return now - outsideSince.computeIfAbsent(entry.getAddress(), address -> now) >= FORGET_MILLIS;
    }

    @GuardedBy("lock")
    private void worked() {
        if (failing) {
            failing = false;
            LOG.log(Level.INFO, "{0} - finds other members by {1} again", node, where);
        }
    }

    @GuardedBy("lock")
    private void failed(Exception cause) {
        if (!failing) {
            failing = true;
            LOG.log(
                    Level.WARNING,
                    "{0} - can''t find other members by {1} for now, and they can''t find this node by it; it "
                            + "retries: {2}",
                    node,
                    where,
                    cause);
        }
    }

    /** Removes this node's own, for good. */
    void close(Address own) {
        boolean free = false;
        closed = true;
        try {
            free = lock.tryLock(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
            if (free) {
                store.remove(own);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LOG.log(
                    Level.INFO,
                    "{0} - could not remove its entry from {1}; other members remove it after a minute: {2}",
                    node,
                    where,
                    e);
        } finally {
            if (free) {
                lock.unlock();
            }
        }
    }
}
