package io.understudy.sealing;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The salts of other members that are known here; of too many the one that was heard of the longest time ago is forgotten, and asked anew if it comes back: with another
 * challenge, so that nothing from before is taken.
 *
 * <p>Threads: any.
 */
final class PeerSalts {

    private final int maxProven;
    private final int maxUnproven;
    private final Map<Salt, PeerSalt> known = new ConcurrentHashMap<>();

    PeerSalts(int maxProven, int maxUnproven) {
        this.maxProven = maxProven;
        this.maxUnproven = maxUnproven;
    }

    @Nullable
    PeerSalt get(Salt salt) {
        return known.get(salt);
    }

    int size() {
        return known.size();
    }

    /** To be called only with a sender whose frame opened: nobody without the secret fills this. */
    synchronized PeerSalt remember(Salt salt, PeerSalt sender) {
        PeerSalt there = known.get(salt);
        if (there != null) {
            return there;
        }
        forget(false, maxUnproven - 1);
        known.put(salt, sender);
        return sender;
    }

    /** To be called when one was proven. */
    synchronized void settle() {
        forget(true, maxProven);
    }

    private void forget(boolean proven, int most) {
        while (known.values().stream().filter(each -> each.proven() == proven).count() > most) {
            long now = System.nanoTime();
            known.entrySet().stream()
                    .filter(each -> each.getValue().proven() == proven)
                    .max(Comparator.comparingLong(each -> now - each.getValue().heardNanos()))
                    .ifPresent(oldest -> known.remove(oldest.getKey()));
        }
    }
}
