package io.understudy.store;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.understudy.store.Tombstones.Stay;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a store that go in time: tombstones and parked updates, in the order of their ends. A
 * {@linkplain #sweep sweep} looks at those of which something is due, and at no others.
 *
 * <p>Threads: any; one sweeps at a time.
 */
final class Retention {

    private static final Comparator<StoredReplica> OLDEST_FIRST = Comparator.comparingLong(StoredReplica::endedAt)
            .thenComparing(stored -> stored.replica().key());

    private final Tombstones rule;
    private final NavigableSet<StoredReplica> parked = oldestFirst();

    /** Tombstones that are to be made hollow; each is in one of the following, too. */
    private final NavigableSet<StoredReplica> full = oldestFirst();

    private final NavigableSet<StoredReplica> untilSettled = oldestFirst();
    private final NavigableSet<StoredReplica> untilHorizon = oldestFirst();
    private final NavigableSet<StoredReplica> pastHorizon = oldestFirst();
    private final AtomicInteger tombstones = new AtomicInteger();

    /** What the sweep before knew of the other members. */
    @GuardedBy("this")
    private long news;

    Retention(Tombstones rule) {
        this.rule = rule;
    }

    private static NavigableSet<StoredReplica> oldestFirst() {
        return new ConcurrentSkipListSet<>(OLDEST_FIRST);
    }

    /** Takes note of a change of an entry; a part of that change, so that those of one entry come in their order. */
    @SuppressWarnings("ReferenceEquality") // An entry that did not change is the same object.
    void changed(@Nullable StoredReplica before, @Nullable StoredReplica after) {
        if (before == after) {
            return;
        }
        boolean noted = false;
        try {
            note(after);
            noted = true;
        } finally {
            if (!noted) {
                forget(after); // There was no memory for it, and the entry stays as it was.
                note(before);
            }
        }
        forget(before);
        tombstones.addAndGet(count(after) - count(before));
    }

    private static int count(@Nullable StoredReplica entry) {
        return entry != null && !entry.replica().parked() && entry.replica().ended() ? 1 : 0;
    }

    private void note(@Nullable StoredReplica entry) {
        if (entry != null && entry.replica().parked()) {
            put(entry, parked);
        } else if (entry != null && entry.replica().ended()) {
            if (!entry.hollow()) {
                put(entry, full);
            }
            put(entry, untilSettled);
        }
    }

    /** In place of another entry of the session at the same place in the order, if there is one. */
    private static void put(StoredReplica entry, NavigableSet<StoredReplica> into) {
        if (!into.add(entry)) {
            into.remove(entry);
            into.add(entry);
        }
    }

    private void forget(@Nullable StoredReplica entry) {
        if (entry != null && entry.replica().parked()) {
            remove(parked, entry);
        } else if (entry != null && entry.replica().ended()) {
            remove(full, entry);
            remove(untilSettled, entry);
            remove(untilHorizon, entry);
            remove(pastHorizon, entry);
        }
    }

    /** Not another entry at its place in the order. */
    @SuppressWarnings("ReferenceEquality")
    private static void remove(NavigableSet<StoredReplica> from, StoredReplica entry) {
        if (from.ceiling(entry) == entry) {
            from.remove(entry);
        }
    }

    /**
     * Takes away what no late message can need any more: old parked updates, what expired sessions held, tombstones that are
     * over, and the oldest of too many.
     *
     * @return how many entries it looked at, some of them twice
     */
    synchronized int sweep(Replicas entries, long now) {
        int looked = each(parked, now - ReplicaStore.PARKED_MILLIS, entries::remove);
        looked += each(
                full,
                now - ReplicaStore.HOLLOW_AFTER_MILLIS,
                tombstone -> entries.replace(tombstone, tombstone.hollowed()));
        long latest = rule.news();
        boolean all = latest != news; // Of those that stayed any may go.
        news = latest;
        Consumer<StoredReplica> look = tombstone -> look(entries, tombstone, now);
        looked += each(pastHorizon, all ? Long.MAX_VALUE : rule.lastHorizon(now), look);
        looked += each(untilHorizon, all ? Long.MAX_VALUE : rule.horizon(now), look);
        looked += each(untilSettled, rule.settleable(now), look);
        for (int excess = tombstones.get() - rule.bound(); excess > 0; excess--) {
            StoredReplica oldest = oldest();
            if (oldest != null) {
                rule.forget(oldest);
                entries.remove(oldest);
                looked++;
            }
        }
        return looked;
    }

    /** Does something with those that ended before a time. */
    private static int each(NavigableSet<StoredReplica> oldestFirst, long before, Consumer<StoredReplica> task) {
        int count = 0;
        for (StoredReplica stored : oldestFirst) {
            if (stored.endedAt() >= before) {
                break;
            }
            task.accept(stored);
            count++;
        }
        return count;
    }

    private void look(Replicas entries, StoredReplica tombstone, long now) {
        Stay stay = rule.stay(tombstone, now);
        if (stay == Stay.OVER) {
            entries.remove(tombstone);
        } else {
            entries.unchanged(tombstone, () -> put(tombstone, stay));
        }
    }

    private void put(StoredReplica tombstone, Stay stay) {
        put(tombstone, untilSettled, stay == Stay.UNTIL_SETTLED);
        put(tombstone, untilHorizon, stay == Stay.UNTIL_HORIZON);
        put(tombstone, pastHorizon, stay == Stay.PAST_HORIZON);
    }

    private static void put(StoredReplica tombstone, NavigableSet<StoredReplica> there, boolean in) {
        if (in) {
            there.add(tombstone);
        } else {
            there.remove(tombstone);
        }
    }

    private @Nullable StoredReplica oldest() {
        return List.of(untilSettled, untilHorizon, pastHorizon).stream()
                .flatMap(some -> some.stream().limit(1))
                .min(OLDEST_FIRST)
                .orElse(null);
    }
}
